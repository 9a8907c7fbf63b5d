import type { RequirementId } from '../src/spec/requirements/index.ts';

/** Requirements that checks assert though rules judge them: what a history cannot show there. */
export const alsoAsserted: Readonly<Partial<Record<RequirementId, string>>> = {
  'order.cancel.only-that-order':
    "Whether an order ended because of another one's cancel is known to who looked at it right before and after that.",
  'quote.state.usable-until-deadline':
    'Only who accepts in the last moment on purpose can tell a refusal that came too early from an acceptance that came too late.',
  'service.sender-accepts':
    'Only who set up the order and the quote knows that nothing spoke against the acceptance that was refused.',
  'service.sender-custodian-accepts':
    'Only who set up the order and the quote knows that nothing spoke against the acceptance that was refused.',
};

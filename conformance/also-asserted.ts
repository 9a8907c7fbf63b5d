import type { RequirementId } from '../src/spec/requirements/index.ts';

/** Requirements that rules judge and checks assert as well, with what a history cannot show there. */
export const alsoAsserted: Readonly<Partial<Record<RequirementId, string>>> = {
  'access.quote.submit.market-maker-allowed':
    'That a quote was refused for the hour, and not for how long it is valid, shows only beside one as short on a new request.',
};

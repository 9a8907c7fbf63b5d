/** Beginnings of check ids that were renamed once, in November 2026: what they were, and what they are. */
const renamed: readonly (readonly [was: string, is: string])[] = [
  ['access.relation.reads.namesake', 'access.relation.reads.same-name-custodian'],
  ['order.cancel.too-dear', 'order.cancel.only-quote-above-maximum'],
  ['order.cancel.leaves-no-acceptance', 'order.cancel.then-acceptance-refused'],
  ['order.expiry.late-quote', 'order.expiry.not-extended-by-quote'],
  ['order.expiry.late-proposal', 'order.expiry.not-extended-by-proposal'],
  ['order.expiry.accepted-at-last.', 'order.expiry.accepted-just-before.'],
  ['quote.expiry.far-off', 'quote.expiry.weeks-ahead'],
  ['quote.expiry.decided.', 'quote.expiry.selected-stays-accepted.'],
  ['quote.expiry.overtaken.', 'quote.expiry.during-settlement.'],
  ['quote.anew.', 'quote.submit.after-expired-quote.'],
  ['order.together.', 'order.concurrent.'],
  ['quote.together.', 'quote.concurrent.'],
  ['quote.lists.twice', 'quote.two-of-one-maker.listed'],
  ['quote.accept.bare.', 'quote.accept.without-body.'],
  ['quote.twice.', 'quote.two-of-one-maker.'],
  ['list.at-last.', 'list.late-in-run.'],
  ['auth.wanted.', 'auth.token-required.'],
  ['auth.wanted-of.', 'auth.token-required-other-party.'],
  ['auth.battery.', 'auth.every-forgery.'],
  ['auth.minted.', 'auth.wrong-claims.'],
  ['event.in-a-row', 'event.consecutive-orders'],
  ['error.silence.', 'error.refused-tells-nobody.'],
  ['error.then-right.', 'error.valid-after-refused.'],
];

/** The id of a check, or a pattern of ids, as it is written now. */
export function currentCheckId(given: string): string {
  const found = renamed.find(([was]) => given.startsWith(was));
  return found ? found[1] + given.slice(found[0].length) : given;
}

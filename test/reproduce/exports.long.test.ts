import { describe, it } from 'vitest';
import { expectExports } from './expect-exports.ts';

/** One for each way to say what must hold, of one answer, between answers, of streams, and with odd tokens. */
const sample = [
  ['accept-answers-in-a-list', 'order.life.no-memo', 'present: true'],
  ['rival-quotes-under-a-request-once-closed', 'access.makers.own-quotes.sender', 'contains: '],
  ['strange-custodians-hear-of-cancels', 'stream.filter.foreign.outsider', 'never: '],
  ['total-pages-rounded-down', 'order.life.no-memo', 'is: "${round_up('],
  ['requests-filtered-by-sender', 'access.makers.senders-indistinguishable', 'is: "${'],
  [
    'contract-in-listed-requests',
    'rfq.list.left.expired',
    '"source_contract_id": { absent: true }',
  ],
  ['executing-order-has-settlement-without-hash', 'settlement.list.early.sender', 'any_of: ['],
  ['bad-deadline-means-half-a-minute', 'quote.submit.malformed-deadline', 'refused: 4xx'],
  ['no-issuer-for-custodians', 'order.life.no-memo', '${claims('],
  ['update-told-for-each-quote', 'event.order-updated.only-on-change', 'at_most_once: '],
  ['maker-events-shut-for-market-maker', 'access.maker.events.nothing', 'answered: 200'],
  ['broken-filter-is-500', 'error.odd-streams', 'limit_to: $id_of_'],
  ['basic-scheme-is-fine', 'auth.scheme.identity.read.sender', 'Basic ${sender.token}'],
  ['fee-on-top-of-the-quote', 'order.life.plain', 'any_of: [{ decimal: '],
  ['no-event-on-expired-request', 'event.request-expired', ' or maker_'],
  ['orders-of-yesterday-not-listed', 'order.expiry.over-midnight', 'wait: until ${next('],
  ['settles-at-once', 'order.expiry.accepted-outlives.sender', 'never: [{ order_updated: '],
  ['created-at-of-the-request-before', 'order.life.no-memo', '.body.meta.timestamp}", within: 2s'],
  ['expired-token-answered-403', 'auth.expired.minted.identity.read.institution', 'first_token_'],
  ['deadline-of-own-quotes-in-seconds', 'list.long-after.maker_a', 'gaps: { '],
] as const;

describe('what is exported of a failure', { timeout: 300_000 }, () => {
  it.each(sample)('shows %s, and holds once it is mended', expectExports);
});

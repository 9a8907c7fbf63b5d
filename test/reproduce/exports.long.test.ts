import { describe, it } from 'vitest';
import { expectExports, expectScript } from './expect-exports.ts';

/** One for each kind of claim: on one answer, between answers, on streams, with odd tokens. */
const sample = [
  [
    'audience-compared-by-its-beginning',
    'auth.wrong-claims.institution',
    'signed(sender.token, other_aud_svc_api2)',
  ],
  ['heartbeat-every-20-seconds', 'stream.heartbeats.quiet.sender', 'at_most: '],
  ['rival-quotes-under-a-request-once-closed', 'access.makers.own-quotes.sender', 'contains: '],
  ['total-pages-rounded-down', 'order.life.no-memo', 'is: ${round_up('],
  ['executing-order-has-settlement-without-hash', 'settlement.list.early.sender', 'any_of: ['],
  ['no-issuer-for-custodians', 'order.life.no-memo', '${claims('],
  ['basic-scheme-is-fine', 'auth.scheme.identity.read.sender', 'Basic ${sender.token}'],
  ['no-event-on-expired-request', 'event.request-expired', ' or maker_'],
  ['orders-of-yesterday-not-listed', 'order.expiry.over-midnight', 'wait: until ${next('],
  ['settles-at-once', 'order.expiry.accepted-outlives.sender', 'never: [ { order_updated: '],
  ['created-at-of-the-request-before', 'order.life.no-memo', '.body.meta.timestamp}", within: 2s'],
  ['deadline-of-own-quotes-in-seconds', 'list.long-after.maker_a', 'gaps: { '],
] as const;

describe('what is exported of a failure', { timeout: 300_000 }, () => {
  it.each(sample)('shows %s, and holds once it is mended', async (id, check, words) =>
    expectScript(await expectExports(id, check, words)),
  );
});

import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  type PlacedOrder,
  quote,
  targetNow,
  untilExpired,
} from '../../src/suite/actions/index.ts';
import { equalValues } from '../../src/protocol/equality.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { each } from '../shared/check-table.ts';
import { settlementTimeoutMs, expiryLagMs, waits } from '../shared/waits.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import { isEventOf, textInFrame, eventLatencyMs } from '../shared/streams.ts';

const makers = ['maker_a', 'maker_b', 'maker_c'] as const;
type Maker = (typeof makers)[number];

/** How often a maker was told an event of an order; undefined where its stream was not open all the while. */
function heard(t: CheckContext, by: Maker, order: PlacedOrder, event: string) {
  const { events } = t.party(by);
  if (!events.isOpen || events.opened.received > order.exchange.sent) return undefined;
  return events.frames.filter(isEventOf(order, event));
}

function assertHeard(
  t: CheckContext,
  by: Maker,
  order: PlacedOrder,
  event: string,
  wanted: 'once' | 'never',
  requirements: readonly RequirementId[],
): void {
  const frames = heard(t, by, order, event);
  if (!frames) return;
  const holds = wanted === 'never' ? frames.length === 0 : frames.length > 0;
  for (const requirement of requirements) {
    t.assert(requirement, holds, {
      message: `${by} was told ${event} ${frames.length} times.`,
      expected: wanted,
      actual: frames.map(({ data }) => data),
      seen: [order.exchange, ...frames],
    });
  }
}

/** Three makers quote two orders; one wins one of them. The other order is nobody's yet. */
const selections = each(
  [
    { winner: 'maker_a', by: 'sender' },
    { winner: 'maker_b', by: 'sender_custodian' },
    { winner: 'maker_c', by: 'sender' },
    { winner: 'maker_a', by: 'sender_custodian' },
  ] as const,
  ({ winner, by }) =>
    defineCheck({
      id: `event.selection.${winner}.${by}`,
      title: `When ${by} selects the quote of ${winner} out of three, the winner and both losers are told, of that order alone.`,
      requirements: [
        'event.quote-accepted.sent',
        'event.quote-accepted.not-to-others',
        'event.quote-accepted.agrees-with-quote',
        'event.quote-rejected.sent',
        'event.quote-rejected.to-every-loser',
        'event.quote-rejected.not-to-winner',
        'event.settlement-completed.sent',
        'event.settlement-completed.not-to-others',
        ...(by === 'sender_custodian'
          ? ([
              'event.quote-accepted.on-custodian-acceptance',
              'event.quote-rejected.on-custodian-acceptance',
            ] as const)
          : []),
      ],
      needs: {
        parties: [...new Set<CastName>(['sender', by, ...makers])],
        waitMs: waits.settlement + eventLatencyMs,
      },
      async run(t) {
        const beside = await createOrder(t);
        const order = await createOrder(t);
        const rates = { maker_a: '1', maker_b: '1.01020304', maker_c: '0.99' } as const;
        const quotes = new Map<Maker, Awaited<ReturnType<typeof quote>>>();
        for (const maker of makers) {
          await quote(t, maker, beside);
          quotes.set(maker, await quote(t, maker, order, { rate: rates[maker] }));
        }
        const won = quotes.get(winner);
        if (!won) return;
        const { exchange } = await accept(t, order, won, by);
        const taken = exchange.received + t.target.clock.offset.most;
        // A quote that has lapsed by then loses nothing any more.
        const lost = (maker: Maker) => (quotes.get(maker)?.validUntil ?? 0) > taken;
        const end = await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
        await t.target.timeline.sleep(eventLatencyMs);
        const custodian = by === 'sender_custodian';
        for (const maker of makers) {
          const isWinner = maker === winner;
          if (!isWinner && !lost(maker)) continue;
          assertHeard(
            t,
            maker,
            order,
            'quote_accepted',
            isWinner ? 'once' : 'never',
            isWinner
              ? [
                  'event.quote-accepted.sent',
                  ...(custodian ? (['event.quote-accepted.on-custodian-acceptance'] as const) : []),
                ]
              : ['event.quote-accepted.not-to-others'],
          );
          assertHeard(
            t,
            maker,
            order,
            'quote_rejected',
            isWinner ? 'never' : 'once',
            isWinner
              ? ['event.quote-rejected.not-to-winner']
              : [
                  'event.quote-rejected.sent',
                  'event.quote-rejected.to-every-loser',
                  ...(custodian ? (['event.quote-rejected.on-custodian-acceptance'] as const) : []),
                ],
          );
          assertBeside(maker, beside);
          // Only the hash is named for it, so that the order may not be (gap `event.payload`).
          const named = (heard(t, winner, order, 'settlement_completed') ?? []).length > 0;
          if (end?.status === 'SETTLED' && (named || !isWinner)) {
            assertHeard(t, maker, order, 'settlement_completed', isWinner ? 'once' : 'never', [
              isWinner
                ? 'event.settlement-completed.sent'
                : 'event.settlement-completed.not-to-others',
            ]);
          }
        }
        const [frame] = heard(t, winner, order, 'quote_accepted') ?? [];
        const rate = frame && textInFrame(frame, 'fx_rate');
        if (!frame || rate === undefined) return;
        const same = equalValues('fx_rate', rate, won.sent['fx_rate']);
        t.assert('event.quote-accepted.agrees-with-quote', same, {
          message: 'quote_accepted told another rate than that of the quote.',
          expected: won.sent['fx_rate'],
          actual: rate,
          seen: [won.exchange, frame],
        });

        function assertBeside(maker: Maker, other: PlacedOrder): void {
          // What is told of the quotes of an order that has expired is open (gap `quote.orphans`).
          if (targetNow(t).latest >= (other.expiresAt ?? 0)) return;
          assertHeard(t, maker, other, 'quote_accepted', 'never', [
            'event.quote-accepted.not-to-others',
          ]);
          assertHeard(t, maker, other, 'quote_rejected', 'never', [
            'event.quote-rejected.not-to-winner',
          ]);
        }
      },
    }),
);

/** A maker that has not quoted is told of a request and of nothing that becomes of others' quotes on it. */
const uninvolved = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `event.uninvolved.${by}`,
    title: `A maker that has not quoted is told neither of the selection that ${by} makes nor of the settlement.`,
    requirements: [
      'event.quote-rejected.not-to-uninvolved',
      'event.quote-accepted.not-to-others',
      'event.settlement-completed.not-to-others',
    ],
    needs: {
      parties: [...new Set<CastName>(['sender', by, ...makers])],
      waitMs: waits.settlement + eventLatencyMs,
    },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_b', order);
      await quote(t, 'maker_a', order);
      await accept(t, order, placed, by);
      await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
      await t.target.timeline.sleep(eventLatencyMs);
      for (const [event, requirement] of [
        ['quote_rejected', 'event.quote-rejected.not-to-uninvolved'],
        ['quote_accepted', 'event.quote-accepted.not-to-others'],
        ['settlement_completed', 'event.settlement-completed.not-to-others'],
      ] as const) {
        assertHeard(t, 'maker_c', order, event, 'never', [requirement]);
      }
    },
  }),
);

/** Expiry, with makers that quoted and makers that did not: some of them are told, none too early. */
const expired = defineCheck({
  id: 'event.request-expired',
  title:
    'A request that one maker quoted and the others did not is told as expired to some of them, and not before.',
  requirements: ['event.quote-request-expired.sent', 'event.quote-request-expired.not-while-open'],
  needs: { parties: ['sender', ...makers], waitMs: waits.orderExpiry + eventLatencyMs },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_b', order);
    const open = await t.party('maker_a').call('rfq.read', {
      params: { intent_id: order.intentId },
    });
    const isOpen = targetNow(t).latest < (order.expiresAt ?? 0);
    for (const maker of isOpen ? makers : []) {
      assertHeard(t, maker, order, 'quote_request_expired', 'never', [
        'event.quote-request-expired.not-while-open',
      ]);
    }
    await untilExpired(t, order, expiryLagMs + eventLatencyMs);
    const end = await awaitStatus(t, order, ['EXPIRED'], eventLatencyMs);
    if (!end) return t.notExercised('the order did not expire', [order.exchange, open]);
    const all = makers.flatMap((maker) => {
      const frames = heard(t, maker, order, 'quote_request_expired');
      return frames ? [frames] : [];
    });
    // No field is named for it: where it names no order, which request it speaks of cannot be told.
    const nameless = makers.some((maker) =>
      t
        .party(maker)
        .events.frames.some(
          (frame) =>
            frame.event === 'quote_request_expired' &&
            textInFrame(frame, 'intent_id') === undefined,
        ),
    );
    if (nameless || all.length < makers.length) return;
    t.assert(
      'event.quote-request-expired.sent',
      all.some((frames) => frames.length > 0),
      {
        message: 'No market maker was told that a request had expired.',
        expected: { event: 'quote_request_expired', intent_id: order.intentId },
        seen: [order.exchange, end.exchange],
      },
    );
  },
});

export const makerEventChecks: readonly Check[] = [...selections, ...uninvolved, expired];

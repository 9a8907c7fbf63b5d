import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  type Fields,
  fieldsOf,
  pollUntil,
  openForQuotes,
  orderBody,
  answerEvidence,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  quote,
  readOrder,
  succeeded,
  textOf,
} from '../../../src/suite/actions/index.ts';
import { equalValues } from '../../../src/protocol/equality.ts';
import { Order } from '../../../src/spec/resources.ts';
import { quotesOf } from '../../shared/listed-quotes.ts';
import { each } from '../../shared/check-table.ts';
import { isSet } from '../../shared/order-fields.ts';
import { settlementTimeoutMs, waits } from '../../shared/waits.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';

const fields = Object.keys(Order.properties);

/** What two reads of one order in one state show differently. */
function differing(mine: Fields, theirs: Fields): readonly string[] {
  return fields.filter((name) => {
    if (!isSet(mine, name) && !isSet(theirs, name)) return false;
    const both = isSet(mine, name) && isSet(theirs, name);
    return !both || !equalValues(name, mine[name], theirs[name]);
  });
}

/** Judges that the custodian reads what the sender reads, between two reads of the sender that agree. */
async function assertSameView(t: CheckContext, order: PlacedOrder, when: string): Promise<void> {
  const look = async () => {
    const before = await readOrder(t, order);
    const custodian = t.party('sender_custodian');
    const read = await custodian.call('order.read', { params: paramsOf(order) });
    const after = await readOrder(t, order);
    const steady = differing(before.data, after.data).length === 0;
    const different = succeeded(read) ? differing(before.data, fieldsOf(read)) : fields;
    return { before, read, after, steady, different };
  };
  const seen = await pollUntil(t, look, ({ steady, different }) => steady && !different.length);
  const { before, read, after, steady, different } = seen;
  if (!steady) return;
  t.assert('order.read.custodian-sees-same', different.length === 0, {
    message: `The sender's custodian read another order than the sender ${when}: ${different.join(', ')} differed.`,
    expected: Object.fromEntries(different.map((name) => [name, before.data[name] ?? null])),
    actual: answerEvidence(read),
    seen: [before.exchange, read, after.exchange],
  });
}

/** An order whose memo two sides may show differently; a plain one where no such memo is taken (gap `text.length`). */
async function createRemarkable(t: CheckContext): Promise<PlacedOrder> {
  const memo = 'Grüße — 送金 #4';
  const body = orderBody(t, { memo });
  const order = placedOrder('sender', body, await t.party('sender').call('order.create', { body }));
  if (!order) return createOrder(t);
  await openForQuotes(t, order);
  return order;
}

export const custodianViewChecks: readonly Check[] = each(
  [
    { id: 'by-sender', by: 'sender' },
    { id: 'by-custodian', by: 'sender_custodian' },
  ] as const,
  ({ id, by }) =>
    defineCheck({
      id: `order.read.custodian-view.${id}`,
      title: `From creation to settlement, accepted ${id}, the custodian reads the order that the sender reads.`,
      requirements: ['order.read.custodian-sees-same', 'order.quotes.custodian-sees-same'],
      needs: {
        parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b'],
        waitMs: waits.settlement,
      },
      async run(t) {
        const order = await createRemarkable(t);
        await assertSameView(t, order, 'right after its creation');
        const first = await quote(t, 'maker_a', order);
        const second = await quote(t, 'maker_b', order);
        await assertSameView(t, order, 'once it had quotes');
        await assertSameQuotes(t, order, [first.quoteId, second.quoteId]);
        await accept(t, order, second, by);
        await assertSameView(t, order, 'after its quote was accepted');
        await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
        await assertSameView(t, order, 'once it had ended');
        await assertSameQuotes(t, order, [first.quoteId, second.quoteId]);
      },
    }),
);

/** Judges that the custodian is shown the quotes that the sender is shown, in the same states. */
async function assertSameQuotes(
  t: CheckContext,
  order: PlacedOrder,
  due: readonly string[],
): Promise<void> {
  const face = (items: readonly Fields[]): string =>
    items
      .map((item) => `${textOf(item, 'quote_id')?.toLowerCase()} ${textOf(item, 'status')}`)
      .sort()
      .join(', ');
  const look = async () => {
    const mine = await quotesOf(t, order);
    const theirs = await quotesOf(t, order, 'sender_custodian');
    const again = await quotesOf(t, order);
    return { mine, theirs, again };
  };
  const isSame = ({ mine, theirs }: Awaited<ReturnType<typeof look>>): boolean =>
    face(mine.items) === face(theirs.items);
  const seen = await pollUntil(t, look, isSame);
  const { mine, theirs, again } = seen;
  if (face(mine.items) !== face(again.items) || mine.items.length < due.length) return;
  t.assert('order.quotes.custodian-sees-same', isSame(seen), {
    message: "The sender's custodian was shown other quotes than the sender.",
    expected: face(mine.items),
    actual: face(theirs.items),
    seen: [mine.exchange, theirs.exchange, again.exchange],
  });
}

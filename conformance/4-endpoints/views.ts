import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  type Fields,
  fieldsOf,
  lookUntil,
  openForQuotes,
  orderBody,
  outcomeOf,
  paramsOf,
  type PlacedOrder,
  placedOrder,
  quote,
  readOrder,
  succeeded,
  textOf,
} from '../../src/conformance/moves/index.ts';
import { sameValue } from '../../src/rules/same.ts';
import { Order } from '../../src/spec/resources.ts';
import { quotesOf } from '../3-states/quotes-seen.ts';
import { each, isSet, settlementPatienceMs, terminal, waits } from '../3-states/words.ts';

const fields = Object.keys(Order.properties);

/** What two reads of one order in one state show differently. */
function differing(mine: Fields, theirs: Fields): readonly string[] {
  return fields.filter((name) => {
    if (!isSet(mine, name) && !isSet(theirs, name)) return false;
    const both = isSet(mine, name) && isSet(theirs, name);
    return !both || !sameValue(name, mine[name], theirs[name]);
  });
}

/** Judges that the custodian reads what the sender reads, between two reads of the sender that agree. */
async function judgeSameView(trial: Trial, order: PlacedOrder, when: string): Promise<void> {
  const look = async () => {
    const before = await readOrder(trial, order);
    const custodian = trial.party('sender_custodian');
    const read = await custodian.call('order.read', { params: paramsOf(order) });
    const after = await readOrder(trial, order);
    const steady = differing(before.data, after.data).length === 0;
    const different = succeeded(read) ? differing(before.data, fieldsOf(read)) : fields;
    return { before, read, after, steady, different };
  };
  const seen = await lookUntil(trial, look, ({ steady, different }) => steady && !different.length);
  const { before, read, after, steady, different } = seen;
  if (!steady) return;
  trial.judge('order.read.custodian-sees-same', different.length === 0, {
    message: `The sender's custodian read another order than the sender ${when}: ${different.join(', ')} differed.`,
    expected: Object.fromEntries(different.map((name) => [name, before.data[name] ?? null])),
    actual: outcomeOf(read),
    seen: [before.exchange, read, after.exchange],
  });
}

/** An order whose memo two sides may show differently; a plain one where no such memo is taken (gap `text.length`). */
async function createRemarkable(trial: Trial): Promise<PlacedOrder> {
  const memo = 'Grüße — 送金 #4';
  const body = orderBody(trial, { memo });
  const order = placedOrder(
    'sender',
    body,
    await trial.party('sender').call('order.create', { body }),
  );
  if (!order) return createOrder(trial);
  await openForQuotes(trial, order);
  return order;
}

export const viewChecks: readonly Check[] = each(
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
      async run(trial) {
        const order = await createRemarkable(trial);
        await judgeSameView(trial, order, 'right after its creation');
        const first = await quote(trial, 'maker_a', order);
        const second = await quote(trial, 'maker_b', order);
        await judgeSameView(trial, order, 'once it had quotes');
        await judgeSameQuotes(trial, order, [first.quoteId, second.quoteId]);
        await accept(trial, order, second, by);
        await judgeSameView(trial, order, 'after its quote was accepted');
        await awaitStatus(trial, order, terminal, settlementPatienceMs);
        await judgeSameView(trial, order, 'once it had ended');
        await judgeSameQuotes(trial, order, [first.quoteId, second.quoteId]);
      },
    }),
);

/** Judges that the custodian is shown the quotes that the sender is shown, in the same states. */
async function judgeSameQuotes(
  trial: Trial,
  order: PlacedOrder,
  due: readonly string[],
): Promise<void> {
  const face = (items: readonly Fields[]): string =>
    items
      .map((item) => `${textOf(item, 'quote_id')?.toLowerCase()} ${textOf(item, 'status')}`)
      .sort()
      .join(', ');
  const look = async () => {
    const mine = await quotesOf(trial, order);
    const theirs = await quotesOf(trial, order, 'sender_custodian');
    const again = await quotesOf(trial, order);
    return { mine, theirs, again };
  };
  const isSame = ({ mine, theirs }: Awaited<ReturnType<typeof look>>): boolean =>
    face(mine.items) === face(theirs.items);
  const seen = await lookUntil(trial, look, isSame);
  const { mine, theirs, again } = seen;
  if (face(mine.items) !== face(again.items) || mine.items.length < due.length) return;
  trial.judge('order.quotes.custodian-sees-same', isSame(seen), {
    message: "The sender's custodian was shown other quotes than the sender.",
    expected: face(mine.items),
    actual: face(theirs.items),
    seen: [mine.exchange, theirs.exchange, again.exchange],
  });
}

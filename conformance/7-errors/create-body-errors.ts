import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import type { CallOptions, Party } from '../../src/client/contract.ts';
import {
  cameFromBody,
  firstAndLastPage,
  type Fields,
  orderBody,
  paginationOf,
  assertRefused,
  describeExchange,
  succeeded,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { RequirementId } from '../../src/spec/requirements/index.ts';
import { each } from '../shared/check-table.ts';
import { eventLatencyMs } from '../shared/streams.ts';
import { notDecimal, notJson, sentAsText } from './malformed-values.ts';

/** One creation that must not come about: what is sent, and the body by which an order of it would be known. */
interface Attempt {
  readonly name: string;
  readonly options: CallOptions;
  readonly body: Fields;
}

/** How many orders the sender has, by the first page of its list. */
async function ordersOf(
  t: CheckContext,
): Promise<{ total: number | undefined; exchange: Exchange }> {
  const exchange = await t.party('sender').call('order.list');
  return { total: paginationOf(exchange)?.total_items, exchange };
}

/** Judges that refused creations made no order: the list has not grown, or what it grew by is somebody else's. */
async function nothingMade(
  t: CheckContext,
  attempts: readonly Attempt[],
  /** Answers whether all of them were refused. */
  create: () => Promise<boolean>,
): Promise<void> {
  const before = await ordersOf(t);
  // What was served is judged as such, and rightly made an order.
  if (!(await create())) return;
  const after = await ordersOf(t);
  if (before.total === undefined || after.total === undefined) return;
  const requirement = 'error.refusal-changes-nothing';
  const ends =
    after.total === before.total
      ? []
      : [await firstAndLastPage(t, t.party('sender'), 'order.list')];
  const made = ends
    .flatMap(({ items }) => items)
    .find((item) => attempts.some(({ body }) => cameFromBody(t, body, item)));
  if (!made && after.total !== before.total) {
    t.inconclusive(requirement, 'somebody else created orders meanwhile');
    return;
  }
  t.assert(requirement, !made, {
    message: 'A creation that was refused made an order all the same.',
    expected: before.total,
    actual: made ?? after.total,
    seen: [before.exchange, after.exchange],
  });
}

/** Makes attempts that must be refused beside a creation that differs from them in one thing, and must succeed. */
async function refusedBeside(
  t: CheckContext,
  requirement: RequirementId,
  attempts: readonly Attempt[],
  what: string,
  whole: Fields = {},
): Promise<{ readonly allRefused: boolean }> {
  let all = true;
  const sender = t.party('sender');
  const twin = await sender.call('order.create', { body: orderBody(t, whole) });
  if (!succeeded(twin))
    t.notExercised(`a whole order was not created either: ${describeExchange(twin)}`, [twin]);
  await t.exclusively(() =>
    nothingMade(t, attempts, async () => {
      for (const { name, options } of attempts) {
        const exchange = await sender.call('order.create', options);
        all = assertRefused(t, requirement, exchange, `${what}: ${name}`) && all;
      }
      return all;
    }),
  );
  return { allRefused: all };
}

/** An amount that no other order has, so that a request over it can only come of this check. */
const ownAmount = ({ random }: CheckContext): string =>
  `${1_000 + random.below(1_000)}.${1 + random.below(9)}${1 + random.below(9)}`;

/** Another beside it, for the twin that succeeds: whoever minds how much is asked for, minds both. */
const besideOwn = (amount: string): string =>
  `${amount.slice(0, -1)}${amount.endsWith('9') ? '8' : '9'}`;

/** Judges that no maker was told of a request over an amount that refused creations alone had. */
async function neverAnnounced(
  t: CheckContext,
  amount: string,
  { events }: Party,
  from: number,
): Promise<void> {
  const { opened } = events;
  await t.target.timeline.sleep(eventLatencyMs);
  if (!events.isOpen || events.opened !== opened) return;
  const told = events.frames
    .slice(from)
    .find(
      ({ event, data }) =>
        event === 'quote_request_new' && new RegExp(`"${amount}0*"`).test(JSON.stringify(data)),
    );
  t.assert('error.refusal-sends-no-event', !told, {
    message: 'quote_request_new told a maker of an order that was refused.',
    actual: told?.data,
    seen: [events.opened, ...(told ? [told] : [])],
  });
}

const notJsonCheck = defineCheck({
  id: 'order.create.not-json',
  title: 'A body that is cut short, prose, markup or a form creates no order; whole, it does.',
  requirements: ['order.create.not-json-refused', 'error.refusal-changes-nothing'],
  needs: { parties: ['sender'] },
  async run(t) {
    const body = orderBody(t);
    const attempts = notJson(body).map(({ name, sent }) => ({
      name,
      options: sentAsText(sent),
      body,
    }));
    await refusedBeside(t, 'order.create.not-json-refused', attempts, 'a body that is no JSON');
  },
});

/** The same with attempts over an own amount; no maker is to be told of any of them. */
async function refusedUnheard(
  t: CheckContext,
  requirement: RequirementId,
  amount: string,
  attempts: readonly Attempt[],
  what: string,
): Promise<void> {
  const maker = t.target.parties.maker_a && t.party('maker_a');
  const from = maker?.events.frames.length ?? 0;
  const { allRefused } = await refusedBeside(t, requirement, attempts, what, {
    target_amount: besideOwn(amount),
  });
  if (allRefused && maker) await neverAnnounced(t, amount, maker, from);
}

const withField = (
  t: CheckContext,
  field: string,
  value: unknown,
  others: Fields = {},
): Attempt => {
  const body = orderBody(t, { ...others, [field]: value });
  return { name: JSON.stringify(value), options: { body }, body };
};

const malformedTarget = defineCheck({
  id: 'order.create.malformed-amount.target_amount',
  title: 'No order is created with a target_amount that is no decimal number; with one it is.',
  requirements: ['order.create.malformed-amount-refused', 'error.refusal-changes-nothing'],
  needs: { parties: ['sender'] },
  async run(t) {
    const attempts = notDecimal.map((value) => withField(t, 'target_amount', value));
    const requirement = 'order.create.malformed-amount-refused';
    await refusedBeside(t, requirement, attempts, 'a target_amount that is no decimal number');
  },
});

const malformedMaximum = defineCheck({
  id: 'order.create.malformed-amount.source_amount_max',
  title:
    'No order is created with a source_amount_max that is no decimal number, and no maker told of one; with one it is.',
  requirements: [
    'order.create.malformed-amount-refused',
    'error.refusal-changes-nothing',
    'error.refusal-sends-no-event',
  ],
  needs: { parties: ['sender'], waitMs: eventLatencyMs },
  async run(t) {
    const amount = ownAmount(t);
    const attempts = notDecimal.map((value) =>
      withField(t, 'source_amount_max', value, { target_amount: amount }),
    );
    const requirement = 'order.create.malformed-amount-refused';
    const what = 'a source_amount_max that is no decimal number';
    await refusedUnheard(t, requirement, amount, attempts, what);
  },
});

/**
 * What the document's forms exclude and yet a lenient backend may take (gaps `money.input`, `money.zero`): where it
 * does, it is asked for nothing more here.
 */
const lenient = each(
  [
    {
      id: 'number-amount',
      requirement: 'order.create.number-amount-refused',
      fields: ['target_amount', 'source_amount_max'],
      value: 1000,
      gap: 'takes JSON numbers as amounts (gap money.input)',
    },
    {
      id: 'negative-amount',
      requirement: 'order.create.negative-amount-refused',
      fields: ['target_amount', 'source_amount_max'],
      value: '-1000.00',
      gap: 'takes negative amounts (gap money.zero)',
    },
  ] as const,
  ({ id, requirement, fields, value, gap }) =>
    defineCheck({
      id: `order.create.${id}`,
      title: `An order whose amount is ${JSON.stringify(value)} is refused, and makes no order.`,
      requirements: [requirement, 'error.refusal-changes-nothing'],
      needs: { parties: ['sender'] },
      async run(t) {
        const attempts = fields.map((field) => withField(t, field, value));
        const tried: Exchange[] = [];
        for (const { options } of attempts) {
          tried.push(await t.party('sender').call('order.create', options));
        }
        if (tried.some(succeeded)) return t.outOfScope(`this target ${gap}`);
        await refusedBeside(t, requirement, attempts, 'such an amount');
      },
    }),
);

const identifiers = each(
  [
    {
      id: 'party',
      requirement: 'order.create.malformed-party-refused',
      values: [
        ['receiver_party_id', 'nobody'],
        ['receiver_party_id', 'Receiver::not-hex'],
        ['sender_custodian_party_id', 'nobody'],
        ['receiver_custodian_party_id', '::'],
      ],
    },
    {
      id: 'contract',
      requirement: 'order.create.malformed-contract-refused',
      values: [
        ['source_contract_id', 'no contract'],
        ['source_contract_id', '#0'],
        ['source_contract_id', 'c0ffee'],
        ['source_contract_id', 'xyz#first'],
      ],
    },
    {
      id: 'signature',
      requirement: 'order.create.malformed-signature-refused',
      values: [['intent_signature', 'signed, the sender']],
    },
  ] as const,
  ({ id, requirement, values }) =>
    defineCheck({
      id: `order.create.malformed-${id}`,
      title: `No order is created with a ${id} that has not its form, and no maker told of one; with one that has it is.`,
      requirements: [requirement, 'error.refusal-changes-nothing', 'error.refusal-sends-no-event'],
      needs: { parties: ['sender'], waitMs: eventLatencyMs },
      async run(t) {
        const amount = ownAmount(t);
        const attempts = values.map(([field, value]) =>
          withField(t, field, value, { target_amount: amount }),
        );
        await refusedUnheard(t, requirement, amount, attempts, `a ${id} without its form`);
      },
    }),
);

/** What a lenient backend might make sense of, but the document has as an object of texts. */
const otherTypes = defineCheck({
  id: 'order.create.other-types',
  title: 'No order is created of a list with an order in it, nor with an object as its memo.',
  requirements: ['order.create.other-type-refused', 'error.refusal-changes-nothing'],
  needs: { parties: ['sender'] },
  async run(t) {
    const body = orderBody(t);
    const attempts = [
      { name: 'a list around it', options: { body: [body] }, body },
      withField(t, 'memo', { text: 'for the rent' }),
      withField(t, 'source_currency', [body['source_currency']]),
    ];
    const requirement = 'order.create.other-type-refused';
    await refusedBeside(t, requirement, attempts, 'an order of other types');
  },
});

/** JSON, but no order: whatever is required of one, this carries none of it. */
const notOrders = defineCheck({
  id: 'order.create.not-an-order',
  title: 'JSON that is no object, and no body at all, is refused as a request is: with a 4xx.',
  requirements: ['error.refusal-is-4xx', 'error.refusal-changes-nothing'],
  needs: { parties: ['sender'] },
  async run(t) {
    const attempts = ['[]', 'null', '17', '"order"', ''].map((text) => ({
      name: text === '' ? 'no body' : text,
      options: text === '' ? {} : sentAsText(text),
      body: {},
    }));
    await refusedBeside(t, 'error.refusal-is-4xx', attempts, 'what is no order');
  },
});

export const createErrorChecks: readonly Check[] = [
  notJsonCheck,
  malformedTarget,
  malformedMaximum,
  ...lenient,
  ...identifiers,
  otherTypes,
  notOrders,
];

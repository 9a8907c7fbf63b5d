import { isObject } from '../../history/json.ts';
import type { Frame } from '../../history/records.ts';
import { eventKinds, heartbeat } from '../../spec/events.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { type Claim, plain, type Template, type Test } from '../steps.ts';
import { type Case, fieldsTooMany, placesIn, reference, stepOf } from './evidence.ts';
import { testsFor } from './tests.ts';

type EventClaim = Extract<Claim, { kind: 'event' }>;

const names = [...Object.keys(eventKinds), heartbeat];
const patienceMs = 10_000;

/** What must be told by events, and what must not. */
export function eventClaims(one: Case): Claim[][] {
  const frame = one.evidence.filter((record) => record.kind === 'frame').at(-1);
  const event = names.find((name) => new RegExp(`\\b${name}\\b`).test(one.message)) ?? frame?.event;
  const stream = streamOf(one, frame);
  if (event === undefined || event === '' || stream === undefined) return [];
  const order = orderOf(one, frame);
  const claim = (
    must: EventClaim['must'],
    fields: EventClaim['fields'] = [],
    withinMs = patienceMs,
  ): Claim[] => [
    { kind: 'event', stream, event, ...(order && { of: order }), fields, must, withinMs },
  ];
  const { message } = one;
  if (message.startsWith('no market maker got ')) {
    const or = streamsIn(one).filter((name) => name !== stream);
    return [claim('come').map((only) => ({ ...only, or }))];
  }
  const pace = paceOf(one);
  if (pace) {
    const { must, fields: shown, withinMs, after } = pace;
    return [claim(must, shown, withinMs).map((only) => ({ ...only, after }))];
  }
  const answered = frame && one.evidence.at(-1)?.kind === 'exchange' ? asAnswered(one, frame) : [];
  if (answered.length > 0) return answered.map((fields) => claim('come', [fields]));
  if (
    /^no \w+ (?:went to|on a stream)|did not carry quote|without a heartbeat|heartbeat/.test(
      message,
    ) &&
    /^no |without/.test(message)
  ) {
    const state = /\bbecame ([A-Z]+)/.exec(message)?.[1] ?? statusOf(one.expected);
    const fields: EventClaim['fields'] =
      state === undefined ? [] : [[['status'], { test: 'equals', value: plain(state) }]];
    // Others may have been told: then it is their number that tells.
    const all = event === 'quote_received' ? quotesOn(one, order) : 1;
    return [
      claim('come', fields, event === heartbeat ? 40_000 : patienceMs),
      ...(all > 1 ? [claim({ atLeast: all }, [], patienceMs)] : []),
    ];
  }
  if (/came twice|more than once/.test(message)) {
    const count = event === 'quote_received' ? quotesOn(one, order) : 1;
    const status = isObject(frame?.data) ? frame.data['status'] : undefined;
    if (event !== 'order_updated' || status === undefined) return [claim(count, [], 2_000)];
    const again = [[['status'], { test: 'equals', value: plain(status) }]] as const;
    return [claim('come once at most', again, 2_000)];
  }
  const missing = new RegExp(`^${event} did not carry (\\w+)`).exec(message)?.[1];
  if (missing !== undefined) return [claim('come', [[[missing], { test: 'present' }]])];
  if (!frame) return [];
  const field = /^([a-z]+(?:_[a-z]+)*) (?:in|of) /.exec(message)?.[1];
  const places = [...placesIn(frame.data)].filter(
    ({ path, value }) => path.at(-1) === field && value === one.actual,
  );
  const told = places.flatMap(({ path }) =>
    testsFor(one.expected, one.actual, one, field).flatMap((test: Test) => {
      const must = [path.map(String), test] as const;
      // An earlier event of the same name may well be right.
      const state = stateBeside(frame.data, path);
      return [...(state ? [claim('come', [state, must])] : []), claim('come', [must])];
    }),
  );
  if (/ did not have its form/.test(message)) return told;
  const wrong = places.map(({ path }) =>
    claim('not come', [[path.map(String), { test: 'one_of', values: [one.actual] }]], 2_000),
  );
  const tooMany = fieldsTooMany(one).flatMap((name) =>
    [...placesIn(frame.data)]
      .filter(({ path, value }) => path.at(-1) === name && value !== null)
      .map(({ path }) => claim('not come', [[path.map(String), { test: 'present' }]], 2_000)),
  );
  return [...told, ...tooMany, ...wrong, ...never(frame, claim)];
}

/** The state that an event tells beside one of its fields. */
function stateBeside(
  data: unknown,
  path: readonly (string | number)[],
): EventClaim['fields'][number] | undefined {
  if (path.at(-1) === 'status') return undefined;
  const beside = [...path.slice(0, -1), 'status'].map(String);
  const found = [...placesIn(data)].find((one) => one.path.map(String).join() === beside.join());
  return found && [beside, { test: 'equals', value: plain(found.value) }];
}

/** An event that came late, or at once: it is waited for as soon as what it tells of is done. */
function paceOf(one: Case) {
  const { message, evidence, steps } = one;
  const took = /^(?:settlement took|an order was announced SETTLED) ([\d.]+) s/.exec(message)?.[1];
  if (took !== undefined) {
    const accepted = steps.findLast(
      (step) => step.kind === 'call' && step.recorded.endpoint === 'quote.accept',
    );
    if (accepted?.kind !== 'call') return undefined;
    const isFast = Number(took) * 1_000 < tolerance.settlementMinMs;
    const must = isFast ? ('not come' as const) : ('come' as const);
    const withinMs = isFast ? tolerance.settlementMinMs - 500 : tolerance.settlementMaxMs + 1_000;
    const fields: EventClaim['fields'] = [
      [['status'], { test: 'equals', value: plain('SETTLED') }],
    ];
    return { must, fields, withinMs, after: accepted.name };
  }
  if (!/^\w+ came [\d.]+ s after its cause was known/.test(message)) return undefined;
  const [cause] = evidence;
  const step = (cause && stepOf(one, cause.id)) ?? steps.findLast(({ kind }) => kind === 'call');
  if (step?.kind !== 'call') return undefined;
  const fields: EventClaim['fields'] = [];
  return { must: 'come' as const, fields, withinMs: tolerance.eventDeliveryMs, after: step.name };
}

/** What the event shows is what an answer shows: an answer came last, and the event was expected to be right. */
function asAnswered(one: Case, frame: Frame): EventClaim['fields'][number][] {
  const last = one.evidence.at(-1);
  const step = last && stepOf(one, last.id);
  const field = /^([a-z]+(?:_[a-z]+)*) (?:in|of) /.exec(one.message)?.[1];
  if (step?.kind !== 'call' || field === undefined) return [];
  const body = step.recorded.response?.body;
  const data = isObject(body) && isObject(body['data']) ? body['data'] : {};
  if (!(field in data)) return [];
  const value = { kind: 'answer', step: step.name, path: ['data', field] } as const;
  return [...placesIn(frame.data)]
    .filter(({ path }) => path.at(-1) === field)
    .map(({ path }) => [path.map(String), { test: 'equals', value }] as const);
}

/** Each quote is announced once. */
function quotesOn({ steps }: Case, order: Template | undefined): number {
  const quotes = steps.filter(
    (step) =>
      step.kind === 'call' &&
      step.recorded.endpoint === 'quote.submit' &&
      (step.recorded.response?.status ?? 500) < 300 &&
      JSON.stringify(step.intentId) === JSON.stringify(order),
  );
  return Math.max(1, quotes.length);
}

/** The event should not have come at all, or not with this state. */
function never(
  { data, event }: Frame,
  claim: (must: EventClaim['must'], fields: EventClaim['fields'], withinMs: number) => Claim[],
): Claim[][] {
  const status = isObject(data) ? data['status'] : undefined;
  const whole = event === heartbeat ? [] : [claim('not come', [], 2_000)];
  if (typeof status !== 'string') return whole;
  const fields = [[['status'], { test: 'one_of', values: [status] }]] as const;
  return [claim('not come', fields, 2_000), ...whole];
}

const statusOf = (expected: unknown): string | undefined => {
  const status = isObject(expected) ? expected['status'] : undefined;
  return typeof status === 'string' ? status : undefined;
};

/** Every stream of the evidence. */
const streamsIn = (one: Case): readonly string[] =>
  one.evidence.flatMap((record) => {
    const step = record.kind === 'exchange' ? stepOf(one, record.id) : undefined;
    return step?.kind === 'listen' ? [step.name] : [];
  });

function streamOf(one: Case, frame: Frame | undefined): string | undefined {
  const opened = one.evidence.find((record) => record.kind === 'exchange' && record.opensStream);
  const id = frame?.stream ?? opened?.id;
  // Of a missing event the evidence is the stream that lacked it, and what caused it.
  const lacked = one.message.startsWith('no ') ? opened?.id : undefined;
  const step = stepOf(one, lacked ?? id ?? '');
  return step?.kind === 'listen' ? step.name : undefined;
}

function orderOf(one: Case, frame: Frame | undefined) {
  const named = isObject(one.expected) ? one.expected['intent_id'] : undefined;
  const data = isObject(frame?.data) ? frame.data['intent_id'] : undefined;
  for (const id of [named, data]) {
    const template = reference(id, one);
    if (template.kind !== 'plain') return template;
  }
  return undefined;
}

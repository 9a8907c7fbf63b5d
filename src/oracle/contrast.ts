import { textOf } from '../protocol/json.ts';
import { parseTimestamp } from '../spec/forms.ts';
import type { Contrast, FailedOf } from '../results/contrast.ts';
import { type Call, precedes } from './trace/calls.ts';
import { type Seen, seenById } from './trace/circumstances.ts';
import type { HistoryView } from './trace/history-view.ts';
import type { StreamTrace, TraceFrame } from './trace/streams.ts';
import type { OrderTrace } from './trace/traces.ts';

/** One exercise of a requirement, by the exchanges and frames that show it. */
export interface Exercise {
  readonly held: boolean;
  readonly evidence: readonly string[];
  /** Equal exercises are counted together: their number. */
  readonly times: number;
}

/** By name, in the words of the report: `state` is `SETTLED`. */
type Circumstances = Readonly<Record<string, string | undefined>>;

const yesNo = (holds: boolean): string => (holds ? 'yes' : 'no');
const upTo = (most: number, count: number): string =>
  count < most ? `${count}` : `${most} or more`;
const decimalsOf = (amount: string | undefined): string | undefined =>
  amount === undefined ? undefined : `${amount.split('.')[1]?.length ?? 0}`;

/** The order as it was when it was asked for, or heard of. */
function ofOrder(
  trace: OrderTrace | undefined,
  { open, atMs }: { readonly open: number; readonly atMs: number },
): Circumstances {
  if (!trace) return {};
  const sent = (name: string): string | undefined => textOf(trace.sent, name);
  const before = trace.snapshots.findLast(({ close }) => close < open)?.value;
  const expiresAt = parseTimestamp(textOf(before, 'expires_at'));
  const quotes = trace.quotes.filter(
    ({ submission }) => submission && precedes(submission, { open }),
  );
  const currencies = [sent('source_currency'), sent('target_currency')];
  const outcomeOf = (calls: readonly Call[]): string => {
    const earlier = calls.filter((one) => precedes(one, { open }));
    const one = earlier.findLast(({ ok }) => ok) ?? earlier.at(-1);
    if (!one) return 'not asked';
    const isLate = expiresAt !== undefined && one.exchange.sent >= expiresAt;
    return `${one.ok ? 'granted' : 'refused'}${isLate ? ' past expires_at' : ''}`;
  };
  return {
    'state before': textOf(before, 'status'),
    'quote.accept': outcomeOf(trace.acceptances),
    'order.cancel': outcomeOf(trace.cancels),
    'quote.submit': outcomeOf(trace.submissions),
    'proposal.accept': outcomeOf(trace.proposals),
    'created by': trace.creation?.party,
    currencies: trace.sent && currencies.join(' to '),
    'decimals of target_amount': decimalsOf(sent('target_amount')),
    'decimals of source_amount_max': decimalsOf(sent('source_amount_max')),
    memo: trace.sent && yesNo(sent('memo') !== undefined),
    quotes: upTo(3, quotes.length),
    'requests to accept': upTo(
      2,
      trace.acceptances.filter((one) => precedes(one, { open })).length,
    ),
    'past expires_at': expiresAt === undefined ? undefined : yesNo(atMs >= expiresAt),
  };
}

function ofCall(call: Call): Circumstances {
  const { exchange, data } = call;
  const { page, status: filter } = exchange.query;
  const common = {
    endpoint: call.endpoint,
    party: call.party,
    auth: exchange.auth,
  };
  if (!Array.isArray(data)) return { ...common, state: textOf(data, 'status') };
  return { ...common, page: page ?? 'not said', filter: filter ?? 'none' };
}

const ofFrame = (stream: StreamTrace, { frame, payload }: TraceFrame): Circumstances => ({
  event: frame.event,
  party: stream.party,
  state: textOf(payload, 'status'),
  'stream of one order': yesNo(stream.filter !== undefined),
  'stream resumed': yesNo(stream.resumed),
});

/** In characters. A state that a target made up may be longer: it is left out. */
const longestValue = 40;

const orderIn = (one: Seen): string | undefined =>
  'call' in one
    ? (one.call.exchange.params.intent_id ?? textOf(one.call.data, 'intent_id'))
    : one.seen.intentId;

/** A list names many orders: the other evidence tells which one is meant. */
function circumstancesOf(
  view: HistoryView,
  one: Seen,
  evidence: readonly Seen[],
): ReadonlyMap<string, string> {
  const id = [one, ...evidence].map(orderIn).find((found) => found !== undefined);
  const [own, when] =
    'call' in one
      ? ([ofCall(one.call), { open: one.call.open, atMs: one.call.exchange.sent }] as const)
      : ([
          ofFrame(one.stream, one.seen),
          { open: one.seen.at, atMs: one.seen.frame.received },
        ] as const);
  const all = { ...own, ...ofOrder(view.every.orders.get(id ?? ''), when) };
  return new Map(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined || value.length > longestValue ? [] : [[name, value]],
    ),
  );
}

interface Known {
  readonly id: string;
  readonly held: boolean;
  readonly times: number;
  readonly in: ReadonlyMap<string, string>;
}

const countOf = (some: readonly Known[]): FailedOf => {
  const of = some.reduce((sum, { times }) => sum + times, 0);
  return { failed: some.reduce((sum, { held, times }) => sum + (held ? 0 : times), 0), of };
};

/** Correlation between failing and being among `some`: 1 perfect, 0 none (Matthews, 1975). */
function correlation(some: FailedOf, all: FailedOf): number {
  const [tp, fp] = [some.failed, some.of - some.failed];
  const [fn, tn] = [all.failed - tp, all.of - all.failed - fp];
  const spread = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn);
  return spread === 0 ? 0 : (tp * tn - fp * fn) / Math.sqrt(spread);
}

/** Weaker, or shared by fewer failures, it is no more than chance. A second circumstance must tell more than the first alone. */
const [weakest, leastGain, leastShare] = [0.35, 0.05, 0.6];

/** Circumstances that failures share and passes do not. At most two: more would be those of one order. */
function sharedBy(all: readonly Known[]): readonly (readonly [name: string, value: string])[] {
  const whole = countOf(all);
  const failed = all.filter(({ held }) => !held);
  const candidates = new Map(
    failed.flatMap(({ in: own }) => [...own].map((one) => [one.join('='), one] as const)),
  );
  const found: (readonly [string, string])[] = [];
  let some = all;
  let least = weakest;
  while (found.length < 2) {
    let best: readonly [string, string] | undefined;
    for (const candidate of candidates.values()) {
      const [name, value] = candidate;
      const there = countOf(some.filter((one) => one.in.get(name) === value));
      const told = correlation(there, whole);
      if (there.failed >= leastShare * whole.failed && told > least)
        [best, least] = [candidate, told];
    }
    if (!best) break;
    const [name, value] = best;
    found.push(best);
    some = some.filter((one) => one.in.get(name) === value);
    least += leastGain;
  }
  return found;
}

/** Maximum number of passes to compare: enough to tell the difference; millions would take long. */
const mostCompared = 20_000;

/**
 * Compares the exercises of one requirement that failed with those that passed.
 * @returns undefined if none passed, or if nothing that a history shows sets them apart
 */
export function contrastOf(
  exercises: readonly Exercise[],
  view: HistoryView,
): Contrast | undefined {
  const index = view.once(seenById);
  const kinds = new Set(exercises.filter(({ held }) => held).map((one) => kindOf(one.evidence[0])));
  const all = [
    ...exercises.filter(({ held }) => !held),
    ...exercises.filter(({ held }) => held).slice(0, mostCompared),
  ].flatMap(({ held, evidence, times }): Known[] => {
    // Of several records that show a failure, take the one of the same kind as those of the passes.
    const id = evidence.findLast((one) => kinds.has(kindOf(one))) ?? evidence.at(-1) ?? '';
    const seen = index.get(id);
    const others = evidence.flatMap((other) => index.get(other) ?? []);
    return seen ? [{ id, held, times, in: circumstancesOf(view, seen, others) }] : [];
  });
  const whole = countOf(all);
  if (whole.failed === 0 || whole.failed === whole.of) return undefined;
  const shared = sharedBy(all);
  const isThere = (one: Known): boolean =>
    shared.every(([name, value]) => one.in.get(name) === value);
  const there = countOf(all.filter(isThere));
  const passed = nearest(all);
  return {
    ...(shared.length > 0 && {
      in: Object.fromEntries(shared),
      there,
      elsewhere: { failed: whole.failed - there.failed, of: whole.of - there.of },
    }),
    ...(passed !== undefined && { passed }),
  };

  function kindOf(id = ''): string | undefined {
    const seen = index.get(id);
    return seen && ('call' in seen ? seen.call.endpoint : seen.seen.frame.event);
  }
}

/** The exercise that passed in the most circumstances of the first that failed. */
function nearest(all: readonly Known[]): string | undefined {
  const failed = all.find(({ held }) => !held);
  const alike = ({ in: own }: Known): number =>
    [...own].filter(([name, value]) => failed?.in.get(name) === value).length;
  let best: Known | undefined;
  for (const one of all) if (one.held && (!best || alike(one) > alike(best))) best = one;
  return best?.id;
}

import type { Call } from './calls.ts';

/** What a repeated request repeats. */
const operationKey = ({ exchange: { endpoint, params } }: Call): string =>
  [endpoint, params.intent_id, params.quote_id].join(' ').toLowerCase();

/**
 * Of every acceptance that was answered with success the first call that may have brought it about. A repeated one may
 * be answered as the first was (gap `accept.again`): what it shows was true at some moment since then.
 */
export function firstAcceptances(calls: readonly Call[]): ReadonlyMap<Call, Call> {
  const byOperation = new Map<string, Call[]>();
  for (const call of calls) {
    if (call.endpoint !== 'quote.accept' || !call.ok) continue;
    const operation = operationKey(call);
    byOperation.set(operation, [...(byOperation.get(operation) ?? []), call]);
  }
  const firsts = new Map<Call, Call>();
  for (const same of byOperation.values()) {
    const first = same.reduce((one, other) => (other.open < one.open ? other : one));
    for (const call of same) firsts.set(call, first);
  }
  return firsts;
}

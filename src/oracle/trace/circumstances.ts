import { isObject, textOf } from '../../protocol/json.ts';
import { type Requirement, requirements } from '../../spec/requirements/index.ts';
import type { Call } from './calls.ts';
import type { HistoryView } from './history-view.ts';
import type { StreamTrace, TraceFrame } from './streams.ts';

/** A record that evidence names: an exchange, or a message of a stream. */
export type Seen =
  | { readonly call: Call }
  | { readonly stream: StreamTrace; readonly seen: TraceFrame };

export const seenById = (view: HistoryView): ReadonlyMap<string, Seen> =>
  new Map<string, Seen>([
    ...view.calls.map((call) => [call.id, { call }] as const),
    ...view.streams.flatMap((stream) =>
      stream.frames.map((seen) => [seen.id, { stream, seen }] as const),
    ),
  ]);

const joined = (...parts: readonly unknown[]): string => parts.map(String).join(' ');
const stateIn = (value: unknown): string | undefined =>
  isObject(value) ? textOf(value, 'status') : undefined;

/** The request, or the event and who heard it; with the answer as well, unless it is to be left out. */
function circumstancesOf(view: HistoryView, one: Seen, isRequestOnly: boolean): string {
  if ('stream' in one) {
    const { frame, payload } = one.seen;
    const event = [frame.event, one.stream.role];
    return joined(...event, ...(isRequestOnly ? [] : [stateIn(payload)]));
  }
  const { endpoint, party, status, data } = one.call;
  const request = [endpoint, view.context.cast[party]?.role ?? party];
  return joined(...request, ...(isRequestOnly ? [] : [status, stateIn(data)]));
}

const catalogue: Readonly<Record<string, Requirement>> = requirements;

/**
 * The circumstances in which a requirement of vague words was kept, or was not, by the exchange or frame that shows it.
 * Undefined for a requirement whose excuse a target's own answers do not close.
 */
export const circumstancesIn =
  (view: HistoryView) =>
  (requirement: string): ((evidence: string) => string | undefined) | undefined => {
    const closes = catalogue[requirement]?.excuse?.closes ?? 'never';
    if (closes === 'never') return undefined;
    const seen = view.once(seenById);
    return (evidence) => {
      const one = seen.get(evidence);
      return one && circumstancesOf(view, one, closes === 'same-request');
    };
  };

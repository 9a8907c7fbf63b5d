import { isObject, textOf } from '../../protocol/json.ts';
import { requirements, type Requirement } from '../../spec/requirements/index.ts';
import type { HistoryView } from './history-view.ts';

interface Circumstances {
  /** Who asked for what, or heard what. */
  readonly request: string;
  /** How it was answered. */
  readonly answer: string;
}

const joined = (...parts: readonly unknown[]): string => parts.map(String).join(' ');
const stateIn = (value: unknown): string | undefined =>
  isObject(value) ? textOf(value, 'status') : undefined;

const circumstances = (view: HistoryView): ReadonlyMap<string, Circumstances> => {
  const known = new Map<string, Circumstances>();
  for (const { id, endpoint, party, status, data } of view.calls) {
    const request = joined(endpoint, view.context.cast[party]?.role ?? party);
    known.set(id, { request, answer: joined(request, status, stateIn(data)) });
  }
  for (const { role, frames } of view.streams) {
    for (const { id, frame, payload } of frames) {
      const request = joined(frame.event, role);
      known.set(id, { request, answer: joined(request, stateIn(payload)) });
    }
  }
  return known;
};

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
    const seen = view.once(circumstances);
    return closes === 'same-request'
      ? (evidence) => seen.get(evidence)?.request
      : (evidence) => seen.get(evidence)?.answer;
  };

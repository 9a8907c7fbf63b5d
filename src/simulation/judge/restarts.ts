import { canonicalJson, saveState } from '../../reference/core/index.ts';
import type { WorldFinding } from '../outcome.ts';
import type { Restart } from '../play/target-lives.ts';

/** Compares the state after each restart with the state before it: nothing that happened may be lost or altered. */
export interface RestartWatch {
  /** Pass this as `PlayOptions.restarted`. */
  readonly restarted: (restart: Restart) => void;
  /** Differences so far, one finding for each cause. */
  readonly findings: () => readonly WorldFinding[];
}

interface Found {
  readonly what: string;
  readonly message: string;
}

export function watchRestarts(): RestartWatch {
  const found = new Map<string, Found>();
  return {
    restarted(restart) {
      for (const one of differences(restart)) {
        const cause = `${one.what} · ${one.message}`;
        if (!found.has(cause)) found.set(cause, one);
      }
    },
    findings: () =>
      [...found].map(([cause, { what, message }]) => ({
        cause,
        rule: what,
        requirements: [],
        message,
        exchanges: [],
        blame: 'defect',
      })),
  };
}

function* differences(restart: Restart): Iterable<Found> {
  // A record that was being written may be there or not, and deadlines that passed meanwhile have had their effect.
  if (restart.killed !== 'at rest' || restart.withDue) return;
  yield* otherState(restart);
  yield* otherEvents(restart);
}

function* otherState(restart: Restart): Iterable<Found> {
  const [before, after] = [saveState(restart.before.state()), saveState(restart.after.state())];
  for (const name of ['orders', 'quotes', 'settlements', 'holdings', 'faults'] as const) {
    if (canonicalJson(before[name]) === canonicalJson(after[name])) continue;
    yield { what: `restart.${name}`, message: `after a restart, ${name} are not what they were` };
  }
}

function* otherEvents(restart: Restart): Iterable<Found> {
  for (const { partyId, role } of restart.before.config.parties) {
    const [before, after] = [restart.before.sent(partyId), restart.after.sent(partyId)];
    if (canonicalJson(before) === canonicalJson(after)) continue;
    const message = `after a restart, the events that a ${role} can be told again are not those that were sent`;
    yield { what: 'restart.events', message };
  }
}

import { canonicalJson, saveState } from '../../reference/core/index.ts';
import { defect, type WorldFinding } from '../outcome.ts';
import type { Restart } from '../play/target-lives.ts';

/** Compares the state after each restart with the state before it: nothing that happened may be lost or altered. */
export function watchRestarts() {
  const found = new Map<string, WorldFinding>();
  return {
    /** Pass this as `PlayOptions.restarted`. */
    restarted: (restart: Restart): void => {
      for (const [what, message] of differences(restart)) {
        const cause = `${what} · ${message}`;
        if (!found.has(cause)) found.set(cause, defect(cause, what, message));
      }
    },
    /** Differences so far, one finding for each cause. */
    findings: (): readonly WorldFinding[] => [...found.values()],
  };
}

function* differences({ killed, withDue, before, after }: Restart): Iterable<[string, string]> {
  // A record that was being written may be there or not, and deadlines that passed meanwhile have had their effect.
  if (killed !== 'at rest' || withDue) return;
  const [saved, restored] = [saveState(before.state()), saveState(after.state())];
  for (const name of ['orders', 'quotes', 'settlements', 'holdings', 'faults'] as const) {
    if (canonicalJson(saved[name]) === canonicalJson(restored[name])) continue;
    yield [`restart.${name}`, `after a restart, ${name} are not what they were`];
  }
  for (const { partyId, role } of before.config.parties) {
    if (canonicalJson(before.sent(partyId)) === canonicalJson(after.sent(partyId))) continue;
    const events = `the events that a ${role} can be told again`;
    yield ['restart.events', `after a restart, ${events} are not those that were sent`];
  }
}

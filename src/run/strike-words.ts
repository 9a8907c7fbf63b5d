import type { Strike } from '../reproduce/steps.ts';
import { wordsForFault } from '../scenario/language/fault-words.ts';
import type { FaultPlan } from '../scenario/language/model.ts';
import type { Fault } from '../simulation/plan.ts';
import type { WorldRun } from '../simulation/run-plan.ts';
import { castNames } from '../spec/requirements/requirement.ts';

/** What struck a world, as a scenario says it; undefined where it has no word for it. */
export function strikeOf({ fault, ...when }: WorldRun['struck'][number]): Strike | undefined {
  const planned = inScenarios(fault);
  if (!planned) return undefined;
  // Whoever fills the disk, or arms what strikes a write, goes on at once.
  const waits = planned.kind === 'restart' && planned.lostBytes === undefined;
  return { ...when, says: wordsForFault(planned), lastsMs: waits ? planned.ms : 0 };
}

/** What befalls one party's network, or a host that stands still, no scenario says. */
function inScenarios(fault: Fault): FaultPlan | undefined {
  if ('party' in fault) {
    const party = castNames.find((name) => name === fault.party);
    return party && fault.fault === 'streams drop' ? { kind: 'drop', party } : undefined;
  }
  switch (fault.fault) {
    case 'leg reverts':
      return { kind: 'revert', leg: fault.leg };
    case 'settlement stalls':
      return { kind: 'stall' };
    case 'operator withdraws':
      return { kind: 'withdraw' };
    case 'validation fails':
      return { kind: 'invalid' };
    case 'restart': {
      const { ms, tornBytes: lostBytes } = fault;
      return { kind: 'restart', ms, ...(lostBytes !== undefined && { lostBytes }) };
    }
    case 'disk full':
      return { kind: 'fill disk', ms: fault.ms };
    case 'host pauses':
      return undefined;
  }
}

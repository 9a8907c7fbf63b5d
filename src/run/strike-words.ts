import type { Strike } from '../reproduce/steps.ts';
import type { Fault } from '../simulation/plan.ts';
import type { WorldRun } from '../simulation/run-plan.ts';
import { formatDuration } from '../yaml/index.ts';

/** What struck a world, as a scenario says it; undefined where it has no word for it. */
export function strikeOf({ fault, ...when }: WorldRun['struck'][number]): Strike | undefined {
  const says = wordsOf(fault);
  // Whoever fills the disk, or arms what strikes a write, goes on at once.
  const waits = fault.fault === 'restart' && fault.tornBytes === undefined;
  return says === undefined ? undefined : { ...when, says, lastsMs: waits ? fault.ms : 0 };
}

function wordsOf(fault: Fault): string | undefined {
  switch (fault.fault) {
    case 'leg reverts':
      return `revert leg ${fault.leg}`;
    case 'settlement stalls':
      return 'stall settlement';
    case 'operator withdraws':
      return 'withdraw order';
    case 'validation fails':
      return 'fail validation';
    case 'streams drop':
      return `drop streams of ${fault.party}`;
    case 'restart':
      return restartWords(fault);
    case 'disk full':
      return `fill disk for ${formatDuration(fault.ms)}`;
    // What befalls one party's network, or a host that stands still, no scenario says.
    case 'streams break':
    case 'streams stall':
    case 'request lost':
    case 'answer lost':
    case 'answer lost and sent again':
    case 'request delayed':
    case 'answer delayed':
    case 'partition':
    case 'host pauses':
      return undefined;
  }
}

function restartWords({ ms, tornBytes }: Extract<Fault, { readonly fault: 'restart' }>): string {
  const write = tornBytes === undefined ? '' : ' in the next write';
  const torn =
    tornBytes === undefined || tornBytes === 0 ? '' : ` without its last ${tornBytes} bytes`;
  return `restart${write}${torn}${ms === 0 ? '' : ` after ${formatDuration(ms)}`}`;
}

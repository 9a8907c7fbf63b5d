import {
  type Damage,
  type Machine,
  type PendingDeadlines,
  type PlacedRecord,
  replayRecords,
} from '../../journal/index.ts';
import type { RecoveryTamper } from '../tamper.ts';
import type { EventDelivery } from './event-delivery.ts';
import type { TamperContextOf } from '../tamper-hooks.ts';
import type { WorldTime } from './world-time.ts';

/** This version of the core answers the commands of a journal differently from the version that wrote it. */
export class JournalMismatch extends Error {
  readonly damage: Damage;
  constructor(damage: Damage) {
    super(damage.reason);
    this.damage = damage;
  }
}

interface RecoveryOptions {
  readonly machine: Machine;
  readonly pending: PendingDeadlines;
  readonly time: WorldTime;
  readonly delivery: EventDelivery;
  readonly tamper: RecoveryTamper | undefined;
  readonly tamperContext: TamperContextOf;
}

/** Carries out the records of a journal again; the world is then as it was when the last one was written. */
export function replayJournal(records: readonly PlacedRecord[], options: RecoveryOptions): void {
  const { machine, time, delivery, tamper, tamperContext } = options;
  const damage = replayRecords(records, machine, {
    before: ({ at }) => time.replayTo(at),
    after(_, { events }) {
      for (const event of events)
        for (const one of tamper?.event?.(event, tamperContext()) ?? [event])
          delivery.publishAgain(one);
    },
  });
  if (damage) throw new JournalMismatch(damage);
  if (tamper) alterRecovered(tamper, options);
}

/** Applies a mutation to the recovered state and deadlines. */
function alterRecovered(
  tamper: RecoveryTamper,
  { machine, pending, tamperContext }: RecoveryOptions,
): void {
  machine.state = tamper.state?.(machine.state, tamperContext()) ?? machine.state;
  if (!tamper.deadline) return;
  for (const deadline of pending.list()) {
    const other = tamper.deadline(deadline, tamperContext());
    if (other === deadline) continue;
    pending.remove(deadline);
    if (other) pending.add(other);
  }
}

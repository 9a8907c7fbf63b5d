import type { PartyRecord } from '../../core/contract.ts';
import type { Cancel, Clock } from '../../../timeline/clock/clock.ts';
import type { Tamper, TamperedEvent } from '../tamper.ts';
import type { TamperContextOf } from '../tamper-hooks.ts';
import type { WorldTime } from './world-time.ts';

type Listener = (event: TamperedEvent) => void;

interface EventDeliveryOptions {
  readonly clock: Clock;
  readonly time: WorldTime;
  readonly parties: readonly PartyRecord[];
  readonly tamper: Tamper | undefined;
  readonly tamperContext: TamperContextOf;
  /** Does the work after everything before it is on disk; at once if there is no journal. */
  readonly onceDurable: (work: () => void) => void;
  /** Called for each event that is sent, before its listeners get it. */
  readonly onSent: (event: TamperedEvent) => void;
}

export type EventDelivery = ReturnType<typeof createEventDelivery>;

/** Brings events of the core to the streams of their addressees, as a tamper alters and delays them. */
export function createEventDelivery(options: EventDeliveryOptions) {
  const { clock, time, parties, tamper, tamperContext, onceDurable, onSent } = options;
  const listeners = new Map<string, Set<Listener>>();
  const delayed = new Set<Cancel>();

  function deliver(event: TamperedEvent): void {
    onceDurable(() => {
      onSent(event);
      for (const listener of listeners.get(event.to) ?? []) listener(event);
    });
  }

  function deliverLater(event: TamperedEvent, delayMs: number): void {
    const cancel = clock.at(time.latest + delayMs, () => {
      delayed.delete(cancel);
      deliver(event);
    });
    delayed.add(cancel);
  }

  function publishWith(event: TamperedEvent, delays: 'delayed' | 'at once'): void {
    if (!tamper?.event && !tamper?.eventDelayMs) return deliver(event);
    const context = tamperContext(parties.find(({ partyId }) => partyId === event.to));
    const sent = tamper.event ? tamper.event(event as never, context) : [event];
    for (const one of sent) {
      const delayMs = tamper.eventDelayMs?.(one, context) ?? 0;
      if (delayMs > 0 && delays === 'delayed') deliverLater(one, delayMs);
      else deliver(one);
    }
  }

  return {
    publish: (event: TamperedEvent) => publishWith(event, 'delayed'),
    /** As `publish`, but without delay: for events of a journal that is replayed. */
    publishAgain: (event: TamperedEvent) => publishWith(event, 'at once'),
    /** Hands over every event for one party, in order, as it happens. */
    subscribe: (partyId: string, listener: Listener): Cancel => {
      const all = listeners.get(partyId) ?? new Set();
      listeners.set(partyId, all.add(listener));
      return () => all.delete(listener);
    },
    /** Drops the delayed events: they are never sent. */
    stop(): void {
      for (const cancel of delayed) cancel();
    },
  };
}

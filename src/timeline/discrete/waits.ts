import type { Actor, Actors, ReadyActor } from './actors.ts';
import type { Cancel } from '../clock/clock.ts';
import { DeadlockError } from '../timeline-errors.ts';

/** A wait for a moment; for a signal, until a moment at the latest; for a signal, without a bound. */
export type WaitKind = 'asleep' | 'listening' | 'endless';

interface Wait {
  readonly actor: Actor | undefined;
  readonly kind: WaitKind;
  readonly reject: (error: Error) => void;
}

/** All waits except turns. */
export type Waits = ReturnType<typeof createWaits>;

/** @param deliver lets a woken actor go on */
export function createWaits(actors: Actors, deliver: (due: ReadyActor) => void) {
  const waits = new Set<Wait>();
  const moving: Record<WaitKind, number> = { asleep: 0, listening: 0, endless: 0 };

  return {
    /** Waits that may make time move. */
    moving: moving as Readonly<typeof moving>,
    /** Waits until `register`'s callback is called, which is never synchronous. */
    add<T>(kind: WaitKind, register: (wake: (value: T) => void) => Cancel): Promise<T> {
      const actor = actors.current();
      const weight = actor?.background ? 0 : 1;
      return new Promise((resolve, reject) => {
        const end = (resume: () => void): void => {
          if (!waits.delete(wait)) return;
          cancel();
          moving[kind] -= weight;
          deliver({ actor, resume });
        };
        const wait: Wait = { actor, kind, reject: (error) => end(() => reject(error)) };
        const cancel = register((value) => end(() => resolve(value)));
        waits.add(wait);
        moving[kind] += weight;
        actors.pause(actor);
      });
    },
    /** Rejects the waits without a moment, since nothing can wake them any more. */
    giveUpEndless(): void {
      const stuck = [...waits].filter(
        ({ kind, actor }) => kind === 'endless' && !actor?.background,
      );
      const names = stuck.map(({ actor }) => actor?.name ?? 'a wait outside of all actors');
      const error = new DeadlockError(
        `everybody waits and nothing is due; without a moment wait: ${names.join(', ')}`,
      );
      for (const wait of stuck) wait.reject(error);
    },
    rejectAll(error: Error): void {
      for (const wait of waits) wait.reject(error);
    },
  };
}

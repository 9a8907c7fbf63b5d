import type { Actor, Actors } from './actors.ts';
import type { Cancel } from './clock.ts';
import { DeadlockError } from './stalls.ts';

interface Wait {
  readonly actor: Actor | undefined;
  readonly kind: 'timed' | 'endless';
  readonly reject: (error: Error) => void;
}

/** Everything that is waited for, save turns. */
export interface Waits {
  /** Waits that may make time move: those with a moment, and those without. */
  readonly moving: { readonly timed: number; readonly endless: number };
  /** Waits until `register`'s callback is called, which it never is at once. */
  add<T>(kind: Wait['kind'], register: (wake: (value: T) => void) => Cancel): Promise<T>;
  /** Tells those who wait without a moment that nothing can wake them any more. */
  giveUpEndless(): void;
  rejectAll(error: Error): void;
}

/** @param deliver calls back when whoever is woken may go on */
export function createWaits(actors: Actors, deliver: (wake: () => void) => void): Waits {
  const waits = new Set<Wait>();
  const moving = { timed: 0, endless: 0 };

  return {
    moving,
    add<T>(kind: Wait['kind'], register: (wake: (value: T) => void) => Cancel): Promise<T> {
      const actor = actors.current();
      const weight = actor?.background ? 0 : 1;
      return new Promise((resolve, reject) => {
        const end = (handOver: () => void): void => {
          if (!waits.delete(wait)) return;
          cancel();
          moving[kind] -= weight;
          deliver(() => {
            // Busy before the promise resolves: no moment at which nobody seems to act.
            actors.resume(actor);
            handOver();
          });
        };
        const wait: Wait = { actor, kind, reject: (error) => end(() => reject(error)) };
        const cancel = register((value) => end(() => resolve(value)));
        waits.add(wait);
        moving[kind] += weight;
        actors.pause(actor);
      });
    },
    giveUpEndless() {
      const stuck = [...waits].filter(
        ({ kind, actor }) => kind === 'endless' && !actor?.background,
      );
      const names = stuck.map(({ actor }) => actor?.name ?? 'a wait outside of all actors');
      const error = new DeadlockError(
        `everybody waits and nothing is due; without a moment wait: ${names.join(', ')}`,
      );
      for (const wait of stuck) wait.reject(error);
    },
    rejectAll(error) {
      for (const wait of waits) wait.reject(error);
    },
  };
}

import type { Actor, Actors, ReadyActor } from './actors.ts';
import type { Random } from '../../random/random.ts';

interface Turn {
  readonly actor: Actor | undefined;
  /** Does the work; returns a function that hands over the outcome. Never rejects. */
  readonly run: () => Promise<() => void>;
  /** Hands over an error in place of the outcome. */
  readonly reject: (error: Error) => void;
}

/** Work that waits for its turn, one piece at a time. */
export type TurnQueue = ReturnType<typeof createTurnQueue>;

/** @param deliver lets an actor whose work was given up go on */
export function createTurnQueue(
  actors: Actors,
  random: Random | undefined,
  deliver: (due: ReadyActor) => void,
) {
  const queue: Turn[] = [];
  let running: { readonly turn: Turn; readonly stall: (error: Error) => void } | undefined;

  function turnOf<T>(
    work: () => Promise<T>,
    resolve: (value: T) => void,
    reject: (reason: unknown) => void,
  ): Turn {
    const actor = actors.current();
    return {
      actor,
      reject,
      async run() {
        try {
          const value = await work();
          return () => resolve(value);
        } catch (error) {
          return () => reject(error);
        }
      },
    };
  }

  /** While one has the turn, everybody else waits: so every call then is part of its work. */
  const isInside = (): boolean => running !== undefined;

  return {
    waiting: (): number => queue.length,
    /** Name of the actor that has the turn, if any. */
    running: () => running && (running.turn.actor?.name ?? 'work outside of all actors'),
    isInside,
    add<T>(work: () => Promise<T>): Promise<T> {
      if (isInside()) return work();
      return new Promise((resolve, reject) => {
        const turn = turnOf(work, resolve, reject);
        queue.push(turn);
        actors.pause(turn.actor);
      });
    },
    /** Gives one its turn. Resolves with its actor once the work has ended. */
    runOne(): Promise<ReadyActor> {
      const [turn] = queue.splice(random ? random.below(queue.length) : 0, 1);
      if (!turn) return Promise.resolve({ actor: undefined, resume: () => {} });
      return new Promise((resolve) => {
        const end = (resume: () => void): void => {
          // Stalled work may end after all.
          if (running !== own) return;
          running = undefined;
          resolve({ actor: turn.actor, resume });
        };
        const own = { turn, stall: (error: Error) => end(() => turn.reject(error)) };
        running = own;
        void turn.run().then(end);
      });
    },
    /** Gives up on the work that has the turn. */
    stall: (error: Error): void => running?.stall(error),
    rejectAll(error: Error): void {
      for (const turn of queue.splice(0)) {
        deliver({ actor: turn.actor, resume: () => turn.reject(error) });
      }
      running?.stall(error);
    },
  };
}

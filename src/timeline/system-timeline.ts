import type { Cancel, Clock } from './clock/clock.ts';
import type { Timeline } from './timeline.ts';

/** A timeline on which waits take real time. */
export function systemTimeline(clock: Clock): Timeline {
  let ended: Error | undefined;
  /** Reject functions of all waits and work under way. */
  const rejecters = new Set<(error: Error) => void>();

  /** A promise that is rejected once the timeline ends; `begin` returns a function that cancels the work behind it. */
  function untilEnd<T>(
    begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => Cancel,
  ): Promise<T> {
    if (ended) return Promise.reject(ended);
    return new Promise((resolve, reject) => {
      const settle = (settled: () => void): void => {
        rejecters.delete(giveUp);
        settled();
      };
      const cancel = begin(
        (value) => settle(() => resolve(value)),
        (error) => settle(() => reject(error)),
      );
      function giveUp(error: Error): void {
        cancel();
        settle(() => reject(error));
      }
      rejecters.add(giveUp);
    });
  }

  const until = (instant: number): Promise<void> =>
    untilEnd((resolve) => clock.at(instant, () => resolve()));

  const within = <T>(work: () => Promise<T>): Promise<T> =>
    untilEnd((resolve, reject) => {
      work().then(resolve, reject);
      return () => {};
    });

  async function all<T>(bodies: readonly (readonly [string, () => Promise<T>])[]): Promise<T[]> {
    let first: { readonly error: unknown } | undefined;
    const results = await Promise.all(
      bodies.map(async ([, body]) => {
        try {
          return await body();
        } catch (error) {
          first ??= { error };
          return undefined as T;
        }
      }),
    );
    if (first) throw first.error;
    return results;
  }

  return {
    kind: 'system',
    now: () => clock.now(),
    act: (_, body) => within(async () => body()),
    together: (bodies) => within(() => all(bodies)),
    background: async (_, body) => body(),
    until,
    sleep: (ms) => until(clock.now() + ms),
    wait: (signal, instant) =>
      untilEnd((resolve) => {
        const cancel = instant === undefined ? () => {} : clock.at(instant, () => end('due'));
        const forget = signal.onRing(() => end('rung'));
        function takeBack(): void {
          cancel();
          forget();
        }
        function end(how: 'rung' | 'due'): void {
          takeBack();
          resolve(how);
        }
        return takeBack;
      }),
    turn: (work) => within(work),
    end(error) {
      ended ??= error;
      for (const reject of rejecters) reject(ended);
    },
  };
}

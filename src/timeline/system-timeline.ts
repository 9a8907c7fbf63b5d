import type { Clock } from './clock/clock.ts';
import type { Timeline } from './timeline.ts';

/** A timeline on which waiting takes as long as it takes. */
export function systemTimeline(clock: Clock): Timeline {
  const until = (instant: number): Promise<void> =>
    new Promise((resolve) => {
      clock.at(instant, resolve);
    });

  return {
    kind: 'system',
    now: () => clock.now(),
    act: async (_, body) => body(),
    async together<T>(bodies: readonly (readonly [string, () => Promise<T>])[]): Promise<T[]> {
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
    },
    background: async (_, body) => body(),
    until,
    sleep: (ms) => until(clock.now() + ms),
    wait: (bell, instant) =>
      new Promise((resolve) => {
        const cancel = instant === undefined ? () => {} : clock.at(instant, () => end('due'));
        const forget = bell.onRing(() => end('rung'));
        function end(how: 'rung' | 'due'): void {
          cancel();
          forget();
          resolve(how);
        }
      }),
    turn: (work) => work(),
  };
}

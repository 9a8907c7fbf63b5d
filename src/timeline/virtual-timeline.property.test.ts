import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSignal } from './signal.ts';
import { flushPending } from './event-loop.ts';
import { virtualClock } from './clock/virtual-clock.ts';
import { virtualTimeline } from './virtual-timeline.ts';

/** One step of an actor. */
type Act =
  | { readonly do: 'sleep'; readonly ms: number }
  | { readonly do: 'turn'; readonly ring: number | undefined }
  | { readonly do: 'listen'; readonly signal: number; readonly ms: number };

const signalNumber = fc.nat({ max: 2 });
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant('sleep' as const), ms: fc.nat({ max: 20 }) }),
  fc.record({
    do: fc.constant('turn' as const),
    ring: fc.option(signalNumber, { nil: undefined }),
  }),
  fc.record({ do: fc.constant('listen' as const), signal: signalNumber, ms: fc.nat({ max: 30 }) }),
);
const plays = fc.array(fc.array(act, { maxLength: 6 }), { minLength: 1, maxLength: 5 });

/** Plays them side by side; `delays` are turns of the event loop that work takes. */
async function play(actors: readonly (readonly Act[])[], delays: readonly number[]) {
  const clock = virtualClock(0);
  const timeline = virtualTimeline(clock);
  const signals = [createSignal(), createSignal(), createSignal()];
  const trace: string[] = [];
  let worked = 0;
  for (const instant of [3, 9, 15]) clock.at(instant, () => signals[0]?.ring());

  async function run(step: Act): Promise<string> {
    if (step.do === 'sleep') {
      await timeline.sleep(step.ms);
      return 'slept';
    }
    const signal = signals[step.do === 'turn' ? (step.ring ?? 0) : step.signal];
    if (!signal) throw new Error('no such signal');
    if (step.do === 'listen') return timeline.wait(signal, timeline.now() + step.ms);
    return timeline.turn(async () => {
      const delay = delays[worked++ % Math.max(delays.length, 1)] ?? 0;
      await flushPending(delay);
      if (step.ring !== undefined) signal.ring();
      await flushPending(delay % 3);
      return 'worked';
    });
  }

  await timeline.together(
    actors.map((steps, index) => [
      `${index}`,
      async () => {
        for (const step of steps) {
          const before = timeline.now();
          const outcome = await run(step);
          trace.push(`${index} ${outcome} ${before}-${timeline.now()}`);
          const isLate = step.do === 'sleep' || outcome === 'due';
          const due = step.do === 'turn' || !isLate ? timeline.now() : before + step.ms;
          expect(timeline.now()).toBe(due);
        }
      },
    ]),
  );
  return trace;
}

test('the same plays give the same trace, whatever time their work takes; nobody oversleeps', async () => {
  await fc.assert(
    fc.asyncProperty(
      plays,
      fc.array(fc.nat({ max: 12 }), { maxLength: 8 }),
      async (actors, delays) => {
        const plain = await play(actors, []);
        expect(plain.length).toBe(actors.flat().length);
        expect(await play(actors, [])).toEqual(plain);
        expect(await play(actors, delays)).toEqual(plain);
      },
    ),
    { numRuns: 60 },
  );
});

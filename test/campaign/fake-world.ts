import { random } from '../../src/random/random.ts';
import type { RunWorld, WorldFinding } from '../../src/simulation/outcome.ts';

/**
 * Worlds of a few milliseconds that depend only on seed and options, as real ones do, without a
 * simulation. One in forty finds something. `steps` is their duration in ms. The mutation `breaks`
 * makes every seventh seed throw, as a fault of Assay would.
 */
export const runWorld: RunWorld = (seed, { depth, mutation = 'none', steps }) => {
  const began = performance.now();
  if (mutation === 'maximum-not-held' && BigInt(seed) % 7n === 0n)
    throw new Error('a fault on purpose');
  const stream = random(seed, 'fake world').fork(depth).fork(mutation);
  const planned = steps ?? 10 + stream.below(40);
  const effective = Math.floor(planned / 2) + stream.below(Math.ceil(planned / 4));
  const hash = stream.hex(64);
  const situations = ['order settled', 'order expired', 'quote refused', 'stream resumed'];
  const reached = situations.filter(() => stream.chance(0.5)).map((what) => [what, 1] as const);
  const findings = stream.chance(1 / 40) ? [finding(stream.below(2))] : [];
  // A world keeps its thread to itself: nothing else runs on it meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, steps ?? 2 + stream.below(4));
  return Promise.resolve({
    seed,
    hash,
    steps: planned,
    effective,
    exchanges: planned * 2,
    frames: planned,
    target_ms: 60_000 + stream.below(60_000),
    host_ms: performance.now() - began,
    findings,
    reached: Object.fromEntries(reached),
    met: [`accepted by=${stream.pick(['sender', 'custodian'])} & rivals=${stream.below(3)}`],
  });
};

const finding = (kind: number): WorldFinding => ({
  cause: `fake.cause-${kind}`,
  rule: 'fake.rule',
  requirements: ['order.cancel.pending'],
  message: `What nobody thought of, ${kind}: \u0000 and "quotes".`,
  exchanges: ['sender-1'],
  blame: 'defect',
});

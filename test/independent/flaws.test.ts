import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { patchedSource, sourceOf } from './flawed-peer.ts';
import { parts } from '../../src/spec/vocabulary.ts';
import { runThroughChaos } from '../network/chaos-run.ts';
import { flaws } from './flaws.ts';

describe('the independent flaws', () => {
  it('are ninety-eight, each with an id of its own, and break every part of the document', () => {
    expect(new Set(flaws.map(({ id }) => id)).size).toBe(98);
    expect(flaws).toHaveLength(98);
    const broken = new Set(flaws.map(({ part }) => part.split('.')[0]));
    // The conventions stand in part 2.
    expect(parts.filter((part) => !broken.has(part))).toEqual(['conventions']);
  });

  it.each(flaws.map((flaw) => [flaw.id, flaw] as const))('%s fits the source', (_, flaw) => {
    expect(flaw.patches.length).toBeGreaterThan(0);
    for (const file of new Set(flaw.patches.map((patch) => patch.file))) {
      const source = patchedSource(flaw, file);
      expect(source).not.toBe(sourceOf(file));
      expect(transformSync(source, { loader: 'ts' }).warnings).toEqual([]);
    }
  });

  // All of them: `npm run independent`.
  it('are found by the suite, of which this is one', async () => {
    const flaw = flaws.find(({ id }) => id === 'custodian-cancels-once-quoted');
    const only = ['access.order.cancel.quoted'];
    const run = { backend: 'harbour', clock: 'driven', share: 0, seed: 1, only } as const;
    expect((await runThroughChaos(run)).accusations).toEqual([]);
    const { accusations } = await runThroughChaos({ ...run, ...(flaw && { flaw }) });
    expect(accusations.join()).toContain('order.cancel answered with success to a custodian');
  });
});

import { expect, it } from 'vitest';
import { findScenarios, loadScenarios } from '../../src/cli/play/scenario-files.ts';
import { random } from '../../src/random/random.ts';
import { play } from '../../src/scenario/run/play.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';
import { recordingTerminal } from './recording-terminal.ts';

const files = ['happy/institution', 'happy/states-in-order', 'cancel/pending', 'expiry/no-quote'];

/** Flows that look into the payloads of events. */
function flows() {
  const terminal = recordingTerminal();
  const words = files.map((name) => `scenarios/${name}.yaml`);
  return loadScenarios(findScenarios(words, terminal) ?? [], terminal)?.scenarios ?? [];
}

const wrappings: readonly (readonly [string, (event: string, data: unknown) => unknown])[] = [
  ['a key of its own', (event, data) => ({ event, resource: data })],
  ['the envelope of answers', (_, data) => ({ data, meta: { request_id: 'r', timestamp: 't' } })],
];

it.each(wrappings)('events may hold what they are about under %s', async (_, wrap) => {
  const scenarios = flows();
  expect(scenarios.length).toBe(files.length);
  const verdicts: string[] = [];
  for (const scenario of scenarios) {
    const target = await openEmbedded({
      seed: 1n,
      listening: false,
      tamper: { event: (event) => [{ ...event, data: wrap(event.event, event.data) }] },
    });
    try {
      const { verdict, reason, failures } = await play(scenario, {
        target,
        random: random(1n),
        reference: target.hooks,
      });
      verdicts.push(`${verdict}${reason ?? failures[0]?.message ?? ''}`);
    } finally {
      await target.close();
    }
  }
  expect(verdicts).toEqual(files.map(() => 'pass'));
});

import { expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import { reproduceFailure } from '../../src/run/reproduce.ts';
import { recorded, seed, trialsOf } from './drawn.ts';

/** A history that no check drove, as a simulated world's: its exchanges are of several actors. */
it('lifts a failure from any history', { timeout: 300_000 }, async () => {
  const mutation = mutationNamed('read-answers-the-neighbour');
  if (!mutation) throw new Error('no such mutation');
  const run = await recorded(mutation, ['list.long-after.sender']);
  const records = run.records.map((record, index) =>
    record.kind === 'end' || record.by.startsWith('party.')
      ? record
      : { ...record, by: `actor.${index % 3}` },
  );
  const failures = run.report.rules.flatMap(({ id, failures: found }) =>
    found.map((failure) => ({ source: id, failure })),
  );
  const one = failures.find(
    ({ failure }) => failure.requirement === 'order.read.returns-that-order',
  );
  if (!one) throw new Error('the rule found nothing');
  const search = await reproduceFailure(
    { ...one, driver: (by) => by.startsWith('actor.') },
    'the world of seed 1',
    { ...run, records },
    { chosen: { kind: 'embedded' }, seed, tamper: mutation.tamper },
  );
  if (!search.ok) throw new Error(search.reasons.join('; '));
  const { reproduction, proof } = search.found;
  expect(proof).toBe('claims');
  expect(reproduction.steps.length).toBeLessThanOrEqual(8);
  expect(scenarioText(reproduction)).toContain('in the world of seed 1');
  const { broken, sound } = await trialsOf(reproduction, mutation);
  expect({ broken: broken.failed, sound: sound.failed }).toEqual({ broken: 'steps', sound: 'no' });
});

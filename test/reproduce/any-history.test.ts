import { beforeAll, expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import { TargetLost } from '../../src/run/open.ts';
import { reproduceFailure } from '../../src/run/reproduce.ts';
import { recorded, seed, trialsOf } from './drawn.ts';

/** A failure in a history of several actors and no check, as a simulated world has. */
async function failureOfActors() {
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
  const chosen = { ...one, driver: (by: string) => by.startsWith('actor.') };
  return { mutation, chosen, recording: { ...run, records } };
}

let failure: Awaited<ReturnType<typeof failureOfActors>>;
beforeAll(async () => {
  failure = await failureOfActors();
}, 300_000);
const origin = 'the world of seed 1';
const embedded = { chosen: { kind: 'embedded' }, seed } as const;

it('reproduces a failure from any history', { timeout: 300_000 }, async () => {
  const { mutation, chosen, recording } = failure;
  const target = { ...embedded, tamper: mutation.tamper };
  const search = await reproduceFailure(chosen, origin, recording, target);
  if (!search.ok) throw new Error(search.reasons.join('; '));
  const { reproduction, proof } = search.found;
  expect(proof).toBe('claims');
  expect(reproduction.steps.length).toBeLessThanOrEqual(8);
  expect(scenarioText(reproduction)).toContain('in the world of seed 1');
  const { broken, sound } = await trialsOf(reproduction, mutation);
  expect({ broken: broken.failed, sound: sound.failed }).toEqual({ broken: 'steps', sound: 'no' });
});

it('tries nothing once no time is left', async () => {
  const { chosen, recording } = failure;
  const spent = { ...embedded, isSpent: () => true };
  const search = await reproduceFailure(chosen, origin, recording, spent);
  expect(!search.ok && search.reasons.join()).toContain('the time for it is over');
});

it('a target that is gone by then ends the search, without an internal error', async () => {
  const { chosen, recording } = failure;
  const urls = [{ name: 'sender', baseUrl: 'http://127.0.0.1:1' }] as const;
  const gone = { chosen: { kind: 'urls', urls }, seed } as const;
  const trying = reproduceFailure(chosen, origin, recording, gone);
  await expect(trying).rejects.toThrow(TargetLost);
});

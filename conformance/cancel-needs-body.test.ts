import { expect, it } from 'vitest';
import type { Party, Target } from '../src/client/contract.ts';
import { runChecks } from '../src/suite/engine/run-checks.ts';
import { random } from '../src/random/random.ts';
import { allRules } from '../src/oracle/index.ts';
import { openEmbedded } from '../src/target/embedded/embedded.ts';
import { checks } from './index.ts';

/** A backend that refuses a cancel without a body: such a call gets an unknown order id instead. */
function wantsBody(party: Party, unknown: string): Party {
  const call: Party['call'] = (endpoint, options) => {
    const bare = endpoint === 'order.cancel' && options?.body === undefined;
    const params = { intent_id: unknown };
    return party.call(endpoint, bare ? { ...options, params } : options);
  };
  return Object.assign(Object.create(party) as Party, { call });
}

const only = [
  'order.cancel.again',
  'order.cancel.pending',
  'order.race.cancel.cancel-first',
  'error.malformed-id.acts',
  'model.cancels',
];

it('sends an object with a cancel if the target is known to need one', async () => {
  const target = await openEmbedded({ seed: 1n });
  const sight = { gap: 'cancel.request', observed: 'an empty object' } as const;
  target.answers.learn([{ ...sight, consistent: true, seen: [], evidence: [] }]);
  const unknown = random('3').uuid();
  const party: Target['party'] = (name, by) => wantsBody(target.party(name, by), unknown);
  const stricter: Target = { ...target, party };
  const options = { random: random('7'), only };
  const { checks: results } = await runChecks({
    target: stricter,
    checks,
    rules: allRules,
    options,
  });
  await target.close();
  const amiss = results.filter(({ verdict }) => verdict !== 'pass');
  expect(amiss.map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason ?? ''}`)).toEqual([]);
});

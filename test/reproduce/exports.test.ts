import { describe, expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import { reproducedBy, scriptOf, trialsOf } from './drawn.ts';
import { hasTools, runScript } from './run-script.ts';

/** One for each way to say what must hold: a status, a field, an item of a list, an event, a token that has expired. */
const sample = [
  ['cancel-without-token', 'auth.token-required.order.cancel.institution', 'refused: 4xx'],
  ['accept-answers-in-a-list', 'order.life.no-memo', 'present: true'],
  ['rival-quotes-under-a-request-once-closed', 'access.makers.own-quotes.sender', 'contains: '],
  ['strange-custodians-hear-of-cancels', 'stream.filter.foreign.outsider', 'never: '],
  ['expired-token-answered-403', 'auth.expired.minted.identity.read.institution', 'first_token_'],
] as const;

async function shownOf(id: string, check: string) {
  const mutation = mutationNamed(id);
  if (!mutation) throw new Error(`no mutation is named ${id}`);
  const search = await reproducedBy(mutation, check);
  if (!search.ok) throw new Error(search.reasons.join('; '));
  return { mutation, found: search.found };
}

describe('what is exported of a failure', { timeout: 60_000 }, () => {
  it.each(sample)('shows %s, and holds once it is mended', async (id, check, words) => {
    const { mutation, found } = await shownOf(id, check);
    expect(scenarioText(found.reproduction)).toContain(words);
    const { broken, sound } = await trialsOf(found.reproduction, mutation);
    expect({ broken: broken.failed, sound: sound.failed }).toEqual({
      broken: 'steps',
      sound: 'no',
    });
    if (!hasTools) return;
    const script = scriptOf(found.reproduction) ?? '';
    const onBroken = await runScript(script, mutation.tamper());
    expect(`${onBroken.code}\n${onBroken.said}`).toMatch(/^1\n[\s\S]*^FAIL: /m);
    const onSound = await runScript(script);
    expect(`${onSound.code}\n${onSound.said}`).toMatch(/^0\n[\s\S]*^holds: /m);
  });

  it('says why a failure cannot be written down', async () => {
    const shown = shownOf('audience-compared-by-its-beginning', 'auth.wrong-claims.institution');
    await expect(shown).rejects.toThrow('only a signing key makes: wrong audience');
  });
});

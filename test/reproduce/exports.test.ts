import { describe, expect, it } from 'vitest';
import { mutationNamed } from '../../mutants/index.ts';
import { scenarioText } from '../../src/reproduce/scenario.ts';
import { reproducedBy, scriptOf, trialsOf } from './drawn.ts';
import { hasTools, runScript } from './run-script.ts';

/** One for each way to say what must hold, of one answer, between answers, of streams, and with odd tokens. */
const sample = [
  ['cancel-without-token', 'auth.token-required.order.cancel.institution', 'refused: 4xx'],
  ['accept-answers-in-a-list', 'order.life.no-memo', 'present: true'],
  ['rival-quotes-under-a-request-once-closed', 'access.makers.own-quotes.sender', 'contains: '],
  ['strange-custodians-hear-of-cancels', 'stream.filter.foreign.outsider', 'never: '],
  ['total-pages-rounded-down', 'order.life.no-memo', 'is: "${round_up('],
  ['requests-filtered-by-sender', 'access.makers.senders-indistinguishable', 'is: "${'],
  [
    'contract-in-listed-requests',
    'rfq.list.left.expired',
    '"source_contract_id": { absent: true }',
  ],
  ['executing-order-has-settlement-without-hash', 'settlement.list.early.sender', 'any_of: ['],
  ['bad-deadline-means-half-a-minute', 'quote.submit.malformed-deadline', 'refused: 4xx'],
  ['no-issuer-for-custodians', 'order.life.no-memo', '${claims('],
  ['update-told-for-each-quote', 'event.order-updated.only-on-change', 'at_most_once: '],
  ['heartbeat-every-20-seconds', 'stream.heartbeats.quiet.sender', 'at_most: '],
  ['maker-events-shut-for-market-maker', 'access.maker.events.nothing', 'answered: 200'],
  ['basic-scheme-is-fine', 'auth.scheme.identity.read.sender', 'Basic ${sender.token}'],
  ['expired-token-answered-403', 'auth.expired.minted.identity.read.institution', 'first_token_'],
] as const;

async function shownOf(id: string, check: string) {
  const mutation = mutationNamed(id);
  if (!mutation) throw new Error(`no mutation is named ${id}`);
  const search = await reproducedBy(mutation, check);
  if (!search.ok) throw new Error(search.reasons.join('; '));
  return { mutation, found: search.found };
}

describe('what is exported of a failure', { timeout: 300_000 }, () => {
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
    expect(`${onBroken.code}\n${onBroken.said}`).toMatch(
      /^1\n[\s\S]*^FAIL: .* must .*\n[\s\S]*^seen: ./m,
    );
    const onSound = await runScript(script);
    expect(`${onSound.code}\n${onSound.said}`).toMatch(/^0\n[\s\S]*^holds: /m);
  });

  it('says why a failure cannot be written down', async () => {
    const shown = shownOf('audience-compared-by-its-beginning', 'auth.wrong-claims.institution');
    await expect(shown).rejects.toThrow('only a signing key makes: wrong audience');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readHistory } from '../../src/history/jsonl.ts';
import type { RunReport } from '../../src/report/index.ts';
import { recordedAsHar } from '../support/recorded-as-har.ts';
import { read, run } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const only = ['--only', 'order.source-amount-actual.*', '--only', 'quote.accept.*'];
const mutation = 'maximum-not-held';

const work = testDirectory();
const assay = (...args: readonly string[]) => run(args, work);
const reportIn = (folder: string): RunReport =>
  JSON.parse(read(work, folder, 'report.json')) as RunReport;
const verdictsOf = ({ rules }: RunReport): readonly string[] =>
  rules.map(({ id, verdict }) => `${id} ${verdict}`);
const failing = ({ rules }: RunReport): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

const baseUrlOf = (party: string): string => `https://fx.example/${party}`;
const parties = [
  'sender',
  'outsider',
  'sender_custodian',
  'receiver_custodian',
  'outsider_custodian',
];
const baseUrls = [...parties, 'maker_a', 'maker_b', 'maker_c'].flatMap((party) => [
  '--base-url',
  `${party}=${baseUrlOf(party)}`,
]);

/** The recording of a run, as a browser would have exported it. */
function exportHar(folder: string, name: string, leaveTokensOut?: true): string {
  const history = readHistory(read(work, folder, 'history.jsonl'));
  if (!history.ok) throw new Error(history.message);
  const options = { baseUrlOf, ...(leaveTokensOut && { leaveTokensOut }) };
  writeFileSync(join(work, name), recordedAsHar(history.records, options));
  return name;
}

beforeAll(async () => {
  await assay('check', ...only, '--mutation', mutation, '--out', 'broken');
  await assay('check', ...only, '--out', 'sound');
});

describe('assay audit', () => {
  it('gives the verdicts that the rules of the run gave', async () => {
    const { code } = await assay('audit', 'broken/history.jsonl', '--out', 'again');
    expect(code).toBe(1);
    expect(failing(reportIn('broken'))).not.toEqual([]);
    expect(verdictsOf(reportIn('again'))).toEqual(verdictsOf(reportIn('broken')));
  });

  it('finds the same in a HAR of it, and blames nothing in one of a sound run', async () => {
    const found = await assay(
      'audit',
      exportHar('broken', 'broken.har'),
      ...baseUrls,
      '--out',
      'har',
    );
    expect([found.code, failing(reportIn('har'))]).toEqual([1, failing(reportIn('broken'))]);
    for (const name of [exportHar('sound', 'sound.har'), exportHar('sound', 'bare.har', true)]) {
      const { code, out } = await assay('audit', name, ...baseUrls, '--json');
      expect([code, failing(JSON.parse(out) as RunReport)]).toEqual([0, []]);
    }
  });

  it('says what the recording could not show', async () => {
    const { out } = await assay('audit', 'sound.har', ...baseUrls);
    expect(out).toContain(
      '8 parties are in the recording: what others may explain is held against nobody',
    );
    expect(out).toContain('no recording can show it: it takes checks (assay check)');
  });

  it('refuses a recording in which nobody is known, and says what to give', async () => {
    const lost = await assay('audit', 'sound.har', '--base-url', 'https://fx.example/sender');
    expect([lost.code, lost.err]).toEqual([2, expect.stringContaining('as in --base-url sender=')]);
  });
});

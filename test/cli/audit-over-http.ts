import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTamper } from '../../src/cli/find-mutation.ts';
import { readHistory } from '../../src/history/jsonl.ts';
import type { RunReport } from '../../src/report/index.ts';
import { recordedAsHar } from '../support/recorded-as-har.ts';
import { serveReference } from '../simulation/serve-reference.ts';
import { runHere } from './command-here.ts';

const isOfEvents = (id: string): boolean => id.startsWith('event.');

const judgedByBodies = ['fields.order', 'order.echo', 'order.states', 'money.rates', 'wire.bodies'];

/** A run over HTTP, its history and a HAR of it: audits of both give its verdicts. */
export function auditRunOverHttp(): void {
  describe('of a run over HTTP', () => {
    let directory: string;
    let close: () => Promise<void>;

    const textOf = (...path: readonly string[]): string =>
      readFileSync(join(directory, ...path), 'utf8');
    const reportIn = (folder: string): RunReport =>
      JSON.parse(textOf(folder, 'report.json')) as RunReport;
    const verdictsOf = ({ rules }: RunReport): readonly (readonly [string, string])[] =>
      rules.map(({ id, verdict }) => [id, verdict]);

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'assay-audit-'));
      const { server, chosen } = await serveReference(findTamper('maximum-not-held'));
      close = () => server.close();
      const { keys } = server.tokens;
      writeFileSync(
        join(directory, 'key.json'),
        JSON.stringify(keys.signing.export({ format: 'jwk' })),
      );
      writeFileSync(join(directory, 'target.yaml'), chosen.text);
      const only = ['order.source-amount-actual.*', 'order.life.plain'].flatMap((one) => [
        '--only',
        one,
      ]);
      const { code, err } = await runHere(
        ['check', '--target', 'target.yaml', ...only, '--out', 'run'],
        directory,
      );
      if (code !== 1) throw new Error(`the run ended with ${code}: ${err}`);
    });
    afterAll(async () => {
      await close();
      rmSync(directory, { recursive: true, force: true });
    });

    it('gives, on the history of a run over HTTP, the verdicts that its rules gave', async () => {
      const { code } = await runHere(['audit', 'run/history.jsonl', '--out', 'audited'], directory);
      expect(code).toBe(1);
      expect(verdictsOf(reportIn('audited'))).toEqual(verdictsOf(reportIn('run')));
    });

    it('gives the same on a HAR of it, save what a HAR cannot show', async () => {
      const history = readHistory(textOf('run', 'history.jsonl'));
      if (!history.ok) throw new Error(history.message);
      const { participants } = reportIn('run').target;
      const baseUrlOf = (party: string): string => participants[party]?.base_url ?? '';
      writeFileSync(join(directory, 'run.har'), recordedAsHar(history.records, { baseUrlOf }));
      const args = ['audit', 'run.har', '--target', 'target.yaml', '--report', 'run/report.json'];
      const { code } = await runHere([...args, '--out', 'har'], directory);
      expect(code).toBe(1);
      const before = new Map(verdictsOf(reportIn('run')));
      const others = verdictsOf(reportIn('har')).filter(
        ([id, verdict]) => before.get(id) !== verdict,
      );
      // A HAR says neither how the target's clock was driven, nor what a token held, nor what came first of two things
      // in one millisecond. What takes these is not judged, on a slow host a rule more than on a quick one; nothing is
      // judged otherwise, and nearly all that needs the bodies alone is still judged.
      const judgedOtherwise = others.filter(([, verdict]) => verdict !== 'not_exercised');
      // Where the clock leapt an hour, a HAR shows an hour of silence.
      const leaps = (id: string): boolean =>
        /^(limit\.heartbeat-interval\.|stream\.heartbeats$)/.test(id);
      // Which requests are alike enough to be compared hangs on what came first of two things in one millisecond.
      const isOnlyMore = ([id, verdict]: (typeof others)[number]): boolean =>
        id === 'privacy.told-apart' && before.get(id) === 'not_exercised' && verdict === 'pass';
      expect(judgedOtherwise.filter((one) => !leaps(one[0]) && !isOnlyMore(one))).toEqual([]);
      const passed = [...before].filter(([id, verdict]) => verdict === 'pass' && !isOfEvents(id));
      const lost = others.filter(([id]) => !isOfEvents(id));
      expect(passed.length).toBeGreaterThan(80);
      expect(lost.length).toBeLessThan(passed.length / 10);
      for (const id of judgedByBodies) expect(lost.map(([one]) => one)).not.toContain(id);
    });
  });
}

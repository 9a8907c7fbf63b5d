import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { requirements } from '../spec/requirements/index.ts';
import { mutationNamed } from '../../mutants/index.ts';
import { openEmbedded } from '../target/embedded/embedded.ts';
import { runTarget, silentObserver } from '../run/run-target.ts';
import { judge, parse, read } from './history.ts';
import { check, defineCheck, defineRule, loadTarget } from './index.ts';
import { failureOf } from './failure.ts';
import { writeHistory } from '../history/jsonl.ts';

const own = defineCheck({
  id: 'acme.token',
  title: 'A token is issued.',
  requirements: [],
  needs: { parties: ['sender'] },
  async run(t) {
    await t.party('sender').call('token.create');
  },
});
const ownRule = defineRule({
  id: 'acme.rule',
  title: 'Nothing is right.',
  requirements: ['order.memo.echo'],
  judge(_, findings) {
    findings.fail('order.memo.echo', { message: 'It was wrong.', evidence: [] });
  },
});

let outcome: Extract<Awaited<ReturnType<typeof check>>, { readonly kind: 'judged' }>;
beforeAll(async () => {
  const made = await check({ only: 'acme.*', checks: [own], rules: [ownRule] });
  if (made.kind !== 'judged') throw new Error('it was not judged');
  outcome = made;
});

describe('check', () => {
  it("judges by a caller's own checks and rules, and hides every token", () => {
    const { report, history } = outcome;
    expect(report.checks).toMatchObject([{ id: 'acme.token', verdict: 'pass' }]);
    expect(report.rules.at(-1)).toMatchObject({ id: 'acme.rule', verdict: 'fail' });
    expect(report.outcome).toBe('nonconformant');
    expect(JSON.stringify(history)).not.toMatch(/"ey[\w-]+\.[\w-]+\.[\w-]+"/);
  });

  it('says what a caller got wrong', async () => {
    const twice = { checks: [own, own] };
    await expect(check(twice)).rejects.toMatchObject({ code: 'suite' });
    await expect(check({ only: 'order.cancle.*' })).rejects.toMatchObject({ code: 'only' });
    await expect(check({ seed: 'x' })).rejects.toMatchObject({ code: 'seed' });
    const wrong = { buyer: 'http://127.0.0.1:1', sender: 'ftp://x' };
    await expect(check({ target: { baseUrls: wrong } })).rejects.toMatchObject({
      code: 'target',
      problems: [expect.stringMatching(/buyer is not of the cast/), expect.stringMatching(/ftp/)],
    });
    await expect(loadTarget('nowhere.yaml')).rejects.toMatchObject({
      code: 'target',
      message: 'nowhere.yaml: there is no such file',
    });
  });

  it('shows no key of a target file to whoever prints it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-lib-'));
    const file = join(folder, 'target.yaml');
    const party =
      'sender: { role: institution, base_url: "http://127.0.0.1:1", token: { env: T } }';
    writeFileSync(file, `name: acme\nparticipants:\n  ${party}\n`);
    const target = await loadTarget(file, { env: { T: 'very-secret' } });
    rmSync(folder, { recursive: true });
    expect(target).toMatchObject({ name: 'acme', path: file, parties: ['sender'] });
    expect(inspect(target, { depth: 9 })).not.toContain('very-secret');
    expect(await check({ target })).toMatchObject({ kind: 'unreachable' });
  });

  it('fails if no party can be reached', async () => {
    const outcome = await check({ target: { baseUrls: { sender: 'http://127.0.0.1:1' } } });
    expect(outcome).toMatchObject({ kind: 'unreachable', problems: [expect.any(String)] });
  });
});

describe('a history judged again', () => {
  it('has the findings that the run had, with a report or without', async () => {
    const tamper = mutationNamed('memo-extended-in-events')?.tamper();
    const target = await openEmbedded({ seed: 1n, ...(tamper && { tamper }) });
    const { checks } = await import('../../conformance/index.ts');
    const report = await runTarget(target, {
      ...silentObserver,
      checks,
      seed: 1n,
      only: ['order.cancel.pending'],
    });
    const history = parse(writeHistory(target.history.records, target.secrets));
    await target.close();
    const verdicts = report.rules.map(({ id, verdict }) => ({ id, verdict }));
    expect(verdicts.filter(({ verdict }) => verdict === 'fail')).not.toEqual([]);
    for (const known of [{}, { report }]) {
      expect(judge(history, known).rules).toMatchObject(verdicts);
    }
  });

  it('is judged by given rules alone', () => {
    const { rules, requirements: all } = judge({ records: [] }, { rules: [ownRule] });
    expect(rules).toMatchObject([{ id: 'acme.rule', verdict: 'fail' }]);
    expect(all).toHaveLength(Object.keys(requirements).length);
    expect(all.find(({ id }) => id === 'order.memo.echo')).toMatchObject({ verdict: 'fail' });
  });

  it('is refused if it cannot be read', async () => {
    expect(() => parse('{}\n', 'x.jsonl')).toThrow(/x\.jsonl:1: unknown kind/);
    await expect(read('nowhere.jsonl')).rejects.toMatchObject({ code: 'history' });
  });
});

describe('a failure as an error', () => {
  it('shows a few findings, and counts the rest', () => {
    const failure = { outcome: 'fail', message: 'It was wrong.', expected: 1, actual: 2 } as const;
    const many = [1, 2, 3, 4, 5].map(() => ({
      ...failure,
      requirement: 'order.memo.echo',
      exchanges: [],
    }));
    const judged = {
      id: 'x',
      title: 'X.',
      requirements: [],
      verdict: 'fail',
      failures: many,
    } as const;
    const error = failureOf(outcome.report, outcome.history, { ...judged, omitted: 7 });
    expect(error).toMatchObject({ name: 'ConformanceFailure', expected: 1, actual: 2 });
    expect(error.message).toMatch(
      /^It was wrong\.\n {2}requirement order\.memo\.echo: .*\n\nand 9 more$/s,
    );
  });
});

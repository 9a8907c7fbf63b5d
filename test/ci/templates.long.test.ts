import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../architecture/source.ts';
import { startSmallBackend } from '../support/network/small-backend.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-ci-'));
  mkdirSync(join(folder, 'bin'));
  // The command as the image has it.
  const assay = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/assay.js')}" "$@"\n`;
  writeFileSync(join(folder, 'bin/assay'), assay);
  chmodSync(join(folder, 'bin/assay'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inside = (name: string): string => readFileSync(join(folder, name), 'utf8');

function shell(script: string, env: Readonly<Record<string, string>>) {
  const path = `${join(folder, 'bin')}:${process.env['PATH']}`;
  const all = { HOME: folder, NO_COLOR: '1', ...env, PATH: path };
  return spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    env: all,
    encoding: 'utf8',
  });
}

interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs the steps of action.yml as a runner does; answers with what each said and ended with. */
function runAction(inputs: Readonly<Record<string, string>>) {
  const { runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    readonly runs: { readonly steps: readonly Step[] };
  };
  const files = {
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  return runs.steps.map(({ run, env }) => {
    const given = Object.entries(env).map(([name, value]) => {
      const input = /inputs\.([\w-]+)/.exec(value)?.[1];
      if (value.includes('github.action_path')) return [name, root] as const;
      const code = /exit-code=(\d)/.exec(input ? '' : inside('output'))?.[1] ?? '';
      return [name, input ? (inputs[input] ?? '') : code] as const;
    });
    return shell(run, { ...files, ...Object.fromEntries(given) });
  });
}

describe('the GitHub action', () => {
  const usual = { profile: 'smoke', out: 'my reports' };

  it('judges, annotates, writes the summary of the job, and ends as the verdict says', async () => {
    const backend = await startSmallBackend('--bug', 'rate-as-number');
    const party = (path: string, role: string) =>
      `{ role: ${role}, base_url: "${backend.origin}/${path}" }`;
    writeFileSync(
      join(folder, 'a target.yaml'),
      `name: acme\nparticipants:\n  sender: ${party('bank-a', 'institution')}\n  maker_a: ${party('mm-1', 'market-maker')}\n`,
    );
    const [, check, report] = runAction({ ...usual, target: 'a target.yaml' });
    await backend.stop();
    expect([check?.status, report?.status]).toEqual([0, 1]);
    expect(report?.stdout).toMatch(/^::error title=[^\n]*fx_rate[^\n]*::/m);
    expect(inside('output')).toBe('exit-code=1\noutcome=nonconformant\n');
    expect(inside('summary')).toContain('# Assay: acme');
    expect(inside('my reports/badge.svg')).toContain('nonconformant');
  });

  it('ends with 2 where nothing could be judged', () => {
    const [, , report] = runAction({ ...usual, target: 'none.yaml' });
    expect(report?.status).toBe(2);
    expect(inside('output')).toBe('exit-code=2\n');
  });
});

/** GitLab's own schema is in a package that needs more of a Set than Node 20 has. */
const older = `data:text/javascript,${encodeURIComponent('Set.prototype.union ??= function (other) { return new Set([...this, ...other]); };')}`;

function gitlabJobs(include: string) {
  mkdirSync(join(folder, 'ci'));
  copyFileSync(join(root, 'ci/gitlab.yml'), join(folder, 'ci/gitlab.yml'));
  writeFileSync(join(folder, '.gitlab-ci.yml'), include);
  const git = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  git('init', '--quiet');
  git('remote', 'add', 'origin', 'git@gitlab.example:acme/fx.git');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@acme.example', 'commit', '--quiet', '-m', 'x');
  const program = createRequire(import.meta.url).resolve('gitlab-ci-local');
  return spawnSync(process.execPath, ['--import', older, program, '--preview'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder, CI: 'true' },
  });
}

interface Job {
  readonly script: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

describe('the GitLab template', () => {
  it('is as the schema of pipelines wants it, and its jobs come to a verdict together', async () => {
    const include =
      'include:\n  - local: ci/gitlab.yml\n    inputs: { image: assay, target: acme.yaml, shards: 2, profile: smoke, require-coverage: 1% }\n';
    const { status, stdout, stderr } = gitlabJobs(include);
    expect(stderr).toContain('json schema validated');
    expect(status).toBe(0);
    const jobs = parse(stdout) as Readonly<Record<string, Job>>;
    const run = (name: string, env: Readonly<Record<string, string>>) =>
      shell((jobs[name]?.script ?? []).join('\n'), { ...jobs[name]?.variables, ...env });

    const backend = await startSmallBackend();
    const party = (path: string, role: string) =>
      `{ role: ${role}, base_url: "${backend.origin}/${path}" }`;
    writeFileSync(
      join(folder, 'acme.yaml'),
      `name: acme\nparticipants:\n  sender: ${party('bank-a', 'institution')}\n  maker_a: ${party('mm-1', 'market-maker')}\n`,
    );
    for (const index of ['1', '2']) {
      const ended = run('assay', { CI_NODE_INDEX: index, CI_NODE_TOTAL: '2' });
      expect([ended.status, ended.stderr]).toEqual([0, expect.any(String)]);
    }
    await backend.stop();
    const verdict = run('assay verdict', {});
    expect([verdict.status, verdict.stderr]).toEqual([0, '']);
    expect(JSON.parse(inside('reports/report.json'))).toMatchObject({ outcome: 'conformant' });
    expect(inside('reports/junit.xml')).toContain('<testsuites');
  });

  it('is refused with what the schema does not know', () => {
    const { status, stderr, stdout } = gitlabJobs('job:\n  script: [ls]\n  artifactz: {}\n');
    expect(status).not.toBe(0);
    expect(stdout + stderr).toContain('artifactz');
  });
});

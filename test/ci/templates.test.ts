import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parseAction } from '@actions/workflow-parser/actions/action-parser';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { root } from '../architecture/source.ts';
import { parse } from 'yaml';

const text = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Errors that GitHub's own parser of actions or workflows finds in a file. */
const problemsOf = (
  parser: typeof parseWorkflow | typeof parseAction,
  name: string,
  content = text(name),
): readonly string[] =>
  parser({ name, content }, new NoOperationTraceWriter())
    .context.errors.getErrors()
    .map(({ message }) => message);

describe('action.yml', () => {
  it('is as the schema of actions wants it', () => {
    expect(problemsOf(parseAction, 'action.yml')).toEqual([]);
    const wrong = text('action.yml').replace('steps:', 'stepz:');
    expect(problemsOf(parseAction, 'action.yml', wrong)).not.toEqual([]);
  });

  it('puts no input into a script, where a shell would read it', () => {
    const { runs } = parse(text('action.yml')) as {
      readonly runs: { readonly steps: readonly { readonly run: string }[] };
    };
    const scripts = runs.steps.map(({ run }) => run);
    expect(scripts).toHaveLength(3);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });
});

describe.each(readdirSync(join(root, '.github/workflows')))('workflow %s', (name) => {
  const path = `.github/workflows/${name}`;

  it('is as the schema of workflows wants it', () => {
    expect(problemsOf(parseWorkflow, path)).toEqual([]);
    const wrong = text(path).replace('runs-on:', 'runs-onn:');
    expect(problemsOf(parseWorkflow, path, wrong)).not.toEqual([]);
  });

  it('uses actions by the hash of a commit, and names scripts that there are', () => {
    const used = [...text(path).matchAll(/uses: (\S+)/g)].map(([, action = '']) => action);
    expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
    const { scripts } = JSON.parse(text('package.json')) as { readonly scripts: object };
    const run = [...text(path).matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
    expect(run.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });
});

describe('what a pipeline fetches', () => {
  it('is never a package by a name that anybody could claim', () => {
    const files = ['action.yml', 'ci/gitlab.yml', 'docs/ci.md', 'README.md', 'docs/start.md'];
    const byName = /npx (?:--yes|-y|--package)|npm (?:i|install|add)(?: -\S+| --\S+)* assay\b/;
    expect(files.filter((name) => byName.test(text(name)))).toEqual([]);
    expect(byName.test('npx --yes --package=assay assay check')).toBe(true);
    expect(byName.test('npm install --save-dev assay')).toBe(true);
  });
});

describe('Dockerfile', () => {
  it('has nothing that its linter finds', () => {
    expect(validate(text('Dockerfile'))).toEqual([]);
    expect(validate('FROM node:22\nCOPPY . .\n')).not.toEqual([]);
  });
});

it.each(['action.yml', 'ci/gitlab.yml'])('%s uses options that there are', (name) => {
  const known = commands.flatMap(({ options }) =>
    options.map(({ flags }) => flags.split(' ')[0] ?? ''),
  );
  const lines = text(name).replaceAll(/^.*\bnpm ci\b.*$/gm, '');
  const used = [...lines.matchAll(/(?:^|[\s(])(--[a-z][a-z-]+)/g)].map(([, flag = '']) => flag);
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((flag) => !known.includes(flag))).toEqual([]);
});

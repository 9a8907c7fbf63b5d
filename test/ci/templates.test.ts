import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateAction } from '@action-validator/core';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { root } from '../architecture/source.ts';
import { parse } from 'yaml';

const text = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('action.yml', () => {
  it('is as the schema of actions wants it', () => {
    expect(validateAction(text('action.yml')).errors).toEqual([]);
    const wrong = text('action.yml').replace('using: composite', 'using: shell');
    expect(validateAction(wrong).errors).not.toEqual([]);
  });

  it('puts no input into a script, where a shell would read it', () => {
    const { runs } = parse(text('action.yml')) as {
      readonly runs: { readonly steps: readonly { readonly run: string }[] };
    };
    const scripts = runs.steps.map(({ run }) => run);
    expect(scripts).toHaveLength(2);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
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
  const lines = text(name).replaceAll(/--(?:yes|package)\b/g, '');
  const used = [...lines.matchAll(/(?:^|[\s(])(--[a-z][a-z-]+)/g)].map(([, flag = '']) => flag);
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((flag) => !known.includes(flag))).toEqual([]);
});

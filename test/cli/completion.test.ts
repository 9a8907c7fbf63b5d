import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { runHere } from './command-here.ts';
import { read } from './shipped-command.ts';
import { testDirectory } from '../support/test-directory.ts';

const isThere = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

const work = testDirectory();
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, out } = await runHere(['completion', shell], work);
    if (code !== 0) throw new Error(`${shell}: ${out}`);
    writeFileSync(join(work, shell), out);
  }
  mkdirSync(join(work, 'a folder'));
  writeFileSync(join(work, 'acme target.yaml'), '');
});

function ran(shell: string, script: string, ...flags: readonly string[]): readonly string[] {
  const ended = spawnSync(shell, [...flags, '-c', script], {
    cwd: work,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: work },
  });
  expect(ended.stderr).toBe('');
  expect(ended.status).toBe(0);
  return ended.stdout.split('\n').filter((line) => line !== '');
}

/** Completions that bash offers for the last word of each line. One shell completes all lines. */
function bash(...lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const asked = lines.map((words) => `offers ${words.map((word) => `'${word}'`).join(' ')}`);
  const script = `source ./bash
    offers() {
      COMP_WORDS=(assay "$@") COMP_CWORD=$# COMPREPLY=()
      _assay 2> /dev/null
      printf '%s\\n' "\${COMPREPLY[@]}" ';'
    }
    ${asked.join('\n')}`;
  const offers = ran('bash', script, '--norc').join('\n').split(';');
  return lines.map((_, n) => (offers[n] ?? '').split('\n').filter((offer) => offer !== ''));
}

/** Completions that fish offers for a line, without their descriptions. */
const fish = (line: string): readonly string[] =>
  ran('fish', `source ./fish; complete -C '${line}'`, '--no-config').map(
    (offer) => offer.split('\t')[0] ?? offer,
  );

const names = commands.map(({ name }) => name);
const longOf = (name: string): readonly string[] =>
  (commands.find((one) => one.name === name)?.options ?? []).map(
    ({ flags }) => flags.split(' ')[0] ?? '',
  );

describe.runIf(isThere('bash'))('completion for bash', () => {
  it('offers every command, and those that begin so', () => {
    const [all, some] = bash([''], ['pr']);
    expect(all?.toSorted()).toEqual([...names, 'help'].toSorted());
    expect(some).toEqual(names.filter((name) => name.startsWith('pr')));
  });

  it('offers every option of each command', () => {
    const offers = bash(...names.map((name) => [name, '--']));
    for (const [n, name] of names.entries())
      expect(offers[n]?.toSorted()).toEqual([...longOf(name), '--help'].toSorted());
  });

  it('offers what an option may be', () => {
    const offers = bash(
      ['check', '--profile', ''],
      ['check', '--target', 'ac'],
      ['check', '--out', ''],
      ['check', '--seed', ''],
      ['spec', 'g'],
      ['play', 'ac'],
    );
    expect(offers).toEqual([
      ['smoke', 'standard', 'full'],
      ['acme target.yaml'],
      ['a folder'],
      [],
      ['gaps'],
      ['acme target.yaml'],
    ]);
  });
});

// fish and zsh may be missing here, so their scripts are checked as text: commands, options,
// values.
describe.each([
  ['fish', (name: string) => ` -a ${name} -d `, (long: string) => ` -l ${long.slice(2)} `],
  ['zsh', (name: string) => `    '${name}:`, (long: string) => `'*${long}[`],
] as const)('the script for %s', (shell, command, option) => {
  it('names every command, and every option of each', () => {
    const text = read(work, shell);
    for (const name of [...names, 'help']) expect(text).toContain(command(name));
    const begins =
      shell === 'zsh' ? /^ {4}(?=[\w-]+\)$)/m : /(?=^complete -c assay -n '__fish_seen)/m;
    const pieces = text.split(begins);
    for (const name of names) {
      const own = pieces.filter((piece) =>
        shell === 'zsh' ? piece.startsWith(`${name})`) : piece.includes(`_from ${name}'`),
      );
      for (const long of longOf(name)) expect(own.join('\n')).toContain(option(long));
    }
    expect(text).toContain('smoke standard full');
  });
});

describe('completion for fish', () => {
  it('offers commands, options and what they may be', (context) => {
    if (!isThere('fish')) return context.skip('fish is not on this machine');
    expect(fish('assay ').toSorted()).toEqual([...names, 'help'].toSorted());
    expect(fish('assay check --').toSorted()).toEqual([...longOf('check'), '--help'].toSorted());
    expect(fish('assay check --profile ')).toEqual(['full', 'smoke', 'standard']);
    expect(fish('assay check --target ac')).toEqual(['acme target.yaml']);
    expect(fish('assay spec ga')).toEqual(['gaps']);
  });
});

describe('completion for zsh', () => {
  it('is taken by its completion system', (context) => {
    if (!isThere('zsh')) return context.skip('zsh is not on this machine');
    const script = 'autoload -U compinit; compinit -D; source ./zsh; print $_comps[assay]';
    expect(ran('zsh', script, '-f')).toEqual(['_assay']);
  });
});

describe('completion', () => {
  it('is refused for another shell', async () => {
    const { code, err } = await runHere(['completion', 'zssh'], work);
    expect(code).toBe(2);
    expect(err).toContain('did you mean "zsh"?');
  });
});

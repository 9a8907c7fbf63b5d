import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '../../run/read-text.ts';
import { type LoadedScenarios, readScenarios, shortest } from '../../run/scenario-sources.ts';
import { count } from '../../report/labels.ts';
import { suggestion } from '../../yaml/index.ts';
import { CommandFailure, usageFailure } from '../command.ts';
import { within } from '../files.ts';
import type { Terminal } from '../terminal.ts';

/** A folder of scenarios that must fail, and one of templates, are played only when they are named. */
const skipped = new Set(['failing', 'node_modules']);

/** File name in messages for scenarios from standard input (`-` on the command line). */
const standardInput = '<stdin>';

/** Finds the files that words of a command line mean: files, folders, patterns. */
export function findScenarios(
  words: readonly string[],
  { cwd }: Pick<Terminal, 'cwd'>,
): readonly string[] {
  const found = words.flatMap((word) => {
    if (word === '-') return [standardInput];
    const files = filesFor(word, cwd);
    if (files.length === 0) throw usageFailure(`${word}: no scenario there`, nextFor(word, cwd));
    return files.map((file) => shortest(file, cwd));
  });
  return [...new Set(found)];
}

const nextFor = (word: string, cwd: string): string => {
  const near = suggestion(
    word,
    filesBelow(within(cwd, '.')).map((file) => shortest(file, cwd)),
  );
  return near ?? 'name a file, a folder or a pattern such as "scenarios/**/*.yaml"';
};

function filesFor(word: string, cwd: string): readonly string[] {
  const path = within(cwd, word);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) return [path];
  if (stat?.isDirectory()) return filesBelow(path);
  return matching(word, cwd);
}

/** True if a waiver names a scenario of a file, or one of its examples, even if the file is not played. */
export function isOfFile(named: string, { cwd }: Pick<Terminal, 'cwd'>): boolean {
  const folder = within(cwd, dirname(named));
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return (isThere ? readdirSync(folder) : [])
    .filter(isYaml)
    .map((file) => shortest(join(folder, file), cwd).replace(/\.ya?ml$/, ''))
    .some((scenario) => named === scenario || named.startsWith(`${scenario}@`));
}

export const isYaml = (name: string): boolean => /\.ya?ml$/.test(name);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path);
      }
      return isYaml(entry.name) ? [path] : [];
    });
}

/** `*` stands for anything within a name, `**` for any folders between. */
function matching(pattern: string, cwd: string): string[] {
  if (!pattern.includes('*')) return [];
  const written = pattern
    .split(/(\*\*\/|\*)/)
    .map((piece) => {
      if (piece === '**/') return '(?:[^/]+/)*';
      return piece === '*' ? '[^/]*' : piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  const whole = new RegExp(`^${written}$`);
  const [base = ''] = pattern.split('*');
  const folder = within(cwd, base.slice(0, base.lastIndexOf('/') + 1) || '.');
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? filesBelow(folder).filter((file) => whole.test(shortest(file, cwd))) : [];
}

/** Reads all files. If one has an error, nothing is played. */
export function loadScenarios(
  files: readonly string[],
  { cwd }: Pick<Terminal, 'cwd'>,
  values: ReadonlyMap<string, string> = new Map(),
): Pick<LoadedScenarios, 'scenarios' | 'texts'> {
  const given = files.map((file) => {
    const read = readText(file === standardInput ? '/dev/stdin' : within(cwd, file));
    if (!read.ok) throw usageFailure(`${file}: ${read.reason}`, 'check the path');
    return { file, text: read.text };
  });
  const { scenarios, texts, problems, errors } = readScenarios(given, cwd, values);
  if (errors === 0) {
    refuseUnknown(values, scenarios);
    return { scenarios, texts };
  }
  const total = `${count(errors, 'error')}; nothing was played`;
  throw new CommandFailure([...problems, total].join('\n\n'));
}

function refuseUnknown(
  values: ReadonlyMap<string, string>,
  scenarios: LoadedScenarios['scenarios'],
): void {
  const known = new Set(scenarios.flatMap(({ draft }) => draft.values.map(({ key }) => key)));
  for (const name of values.keys()) {
    if (known.has(name)) continue;
    const all = known.size === 0 ? 'none has any' : `there are ${[...known].toSorted().join(', ')}`;
    throw usageFailure(
      `--set ${name}: no scenario has a value of this name`,
      suggestion(name, [...known]) ?? all,
    );
  }
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../run/read-text.ts';
import { shortest, sourcesIn } from '../../run/scenario-sources.ts';
import { load, type Scenario } from '../../scenario/language/load.ts';
import { renderSourceErrors, type SourceError, suggestion } from '../../yaml/index.ts';
import { within } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { complain } from '../complain.ts';

/** A folder of scenarios that must fail, and one of templates, are played only when they are named. */
const skipped = new Set(['failing', 'node_modules']);

export interface LoadedScenarios {
  readonly scenarios: readonly Scenario[];
  /** The text of every file that was read, by its name. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Finds the files that words of a command line mean: files, folders, patterns. Undefined after having complained. */
export function findScenarios(
  words: readonly string[],
  terminal: Terminal,
): readonly string[] | undefined {
  const found = new Set<string>();
  for (const word of words) {
    const files = filesFor(word, terminal.cwd);
    if (files.length === 0) {
      complain(terminal, `${word}: no scenario there`, nextFor(word, terminal.cwd));
      return undefined;
    }
    for (const file of files) found.add(shortest(file, terminal.cwd));
  }
  return [...found];
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

const isYaml = (name: string): boolean => /\.ya?ml$/.test(name);

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

/** Reads them all; whatever is wrong with any of them is said, and then nothing is played. */
export function loadScenarios(
  files: readonly string[],
  terminal: Terminal,
): LoadedScenarios | undefined {
  const texts = new Map<string, string>();
  const scenarios: Scenario[] = [];
  const errors: SourceError[] = [];
  const sources = sourcesIn(terminal.cwd, (file) => {
    const result = readText(within(terminal.cwd, file));
    return result.ok ? result.text : undefined;
  });
  for (const file of files) {
    const result = readText(within(terminal.cwd, file));
    if (!result.ok) {
      complain(terminal, `${file}: ${result.reason}`, 'check the path');
      return undefined;
    }
    const loaded = load({ file, text: result.text }, sources);
    for (const [name, text] of loaded.texts) texts.set(name, text);
    if (loaded.ok) scenarios.push(...loaded.scenarios);
    else errors.push(...loaded.errors);
  }
  if (errors.length === 0) return { scenarios, texts };
  terminal.err(renderAll(errors, texts));
  return undefined;
}

function renderAll(errors: readonly SourceError[], texts: ReadonlyMap<string, string>): string {
  const files = [...new Set(errors.map(({ file }) => file))];
  const told = files.map((file) => {
    // Templates that several scenarios share are read once for each of them.
    const own = new Map(
      errors.filter((error) => error.file === file).map((error) => [JSON.stringify(error), error]),
    );
    return renderSourceErrors([...own.values()], texts.get(file));
  });
  const count = new Set(errors.map((error) => JSON.stringify(error))).size;
  return [...told, `${count} error${count === 1 ? '' : 's'}; nothing was played`].join('\n\n');
}

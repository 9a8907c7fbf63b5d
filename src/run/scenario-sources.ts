import { dirname, relative, resolve, sep } from 'node:path';
import { load, type Scenario, type Sources } from '../scenario/language/load.ts';
import { renderSourceErrors, type SourceError, type SourceText } from '../yaml/index.ts';
import { readText } from './read-text.ts';

/** Relative to where the command was called, with forward slashes, so that ids are the same on every machine. */
export function shortest(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

/** Files as scenarios name them: relative to where the command was called. */
export const sourcesIn = (cwd: string, read: Sources['read']): Sources => ({
  cache: new Map(),
  read,
  resolve: (file, path) => shortest(resolve(cwd, dirname(file), path), cwd),
});

export interface LoadedScenarios {
  readonly scenarios: readonly Scenario[];
  /** The text of every file that was read, by its name. */
  readonly texts: ReadonlyMap<string, string>;
  /** How many errors there are; one of a template that several scenarios share counts once. */
  readonly errors: number;
  /** A text for each file that has errors. */
  readonly problems: readonly string[];
}

/** Reads the scenarios of some files, and the templates that these name. */
export function readScenarios(given: readonly SourceText[], cwd: string): LoadedScenarios {
  const texts = new Map<string, string>();
  const scenarios: Scenario[] = [];
  const errors = new Map<string, SourceError>();
  const sources = sourcesIn(cwd, (file) => {
    const read = readText(resolve(cwd, file));
    return read.ok ? read.text : read;
  });
  for (const source of given) {
    const loaded = load(source, sources);
    for (const [name, text] of loaded.texts) texts.set(name, text);
    if (loaded.ok) scenarios.push(...loaded.scenarios);
    else for (const error of loaded.errors) errors.set(JSON.stringify(error), error);
  }
  const all = [...errors.values()];
  const problems = [...new Set(all.map(({ file }) => file))].map((name) => {
    const own = all.filter(({ file }) => file === name);
    return renderSourceErrors(own, texts.get(name));
  });
  return { scenarios, texts, errors: errors.size, problems };
}

import { dirname, relative, resolve, sep } from 'node:path';
import { load, type Scenario, type Sources } from '../scenario/language/load.ts';
import { renderSourceErrors, type SourceError, type SourceText } from '../yaml/index.ts';
import { readText } from './read-text.ts';

/** Path relative to the working directory, with forward slashes, so that ids are the same on every machine. */
export function shortest(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

/** Files as scenarios name them: relative to the working directory. */
export const sourcesIn = (
  cwd: string,
  read: Sources['read'],
  values: Sources['values'] = new Map(),
): Sources => ({
  cache: new Map(),
  values,
  read,
  resolve: (file, path) => shortest(resolve(cwd, dirname(file), path), cwd),
});

export interface LoadedScenarios {
  readonly scenarios: readonly Scenario[];
  /** Text of every file that was read, by file name. */
  readonly texts: ReadonlyMap<string, string>;
  /** Number of errors. An error in a template that several scenarios share counts once. */
  readonly errors: number;
  /** A text for each file that has errors. */
  readonly problems: readonly string[];
}

/** Reads the scenarios of files, and the templates that they name. */
export function readScenarios(
  given: readonly SourceText[],
  cwd: string,
  values?: Sources['values'],
): LoadedScenarios {
  const texts = new Map<string, string>();
  const scenarios: Scenario[] = [];
  const errors = new Map<string, SourceError>();
  const read = (file: string) => {
    const found = readText(resolve(cwd, file));
    return found.ok ? found.text : found;
  };
  const sources = sourcesIn(cwd, read, values);
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

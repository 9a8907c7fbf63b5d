import { pathToFileURL } from 'node:url';
import type { Check } from '../suite/engine/check.ts';
import type { Rule } from '../oracle/index.ts';
import { patternsOf, selects } from '../suite/engine/plan.ts';
import { controls } from '../spec/requirements/requirement.ts';
import { isObject } from '../history/json.ts';
import { castNames, requirementIds, requirements } from '../spec/requirements/index.ts';
import { suggestion } from '../yaml/index.ts';
import { readText, reasonOf } from './read-text.ts';

/** Checks and rules that a user adds to the suite. */
export interface OwnSuite {
  readonly checks: readonly Check[];
  readonly rules: readonly Rule[];
}

/** Problem in a user's checks or rules, with the next step to fix it. */
export interface SuiteProblem {
  readonly what: string;
  readonly next: string;
}

export type SuiteReading =
  | { readonly ok: true; readonly suite: OwnSuite }
  | { readonly ok: false; readonly problems: readonly SuiteProblem[] };

/** Ids in use, each with its owner: `the suite`, or a file. */
export type TakenIds = Map<string, string>;

/** The ids of the suite itself; a user's own must differ from them. */
export const idsOf = ({ checks, rules }: OwnSuite): TakenIds =>
  new Map([...checks, ...rules].map(({ id }) => [id, 'the suite']));

/**
 * Loads an ES module that exports `checks`, `rules` or both, by name or in its default export, and validates
 * everything that a run depends on. Reports all problems at once.
 * @param name name of the file in messages
 * @param taken the ids that are found are added to it
 */
export async function loadOwnSuite(
  name: string,
  path: string,
  taken: TakenIds,
): Promise<SuiteReading> {
  const refusal = (what: string, next: string): SuiteReading => ({
    ok: false,
    problems: [{ what, next }],
  });
  const text = readText(path);
  if (!text.ok) return refusal(`${name}: ${text.reason}`, 'check the path');
  try {
    const given = exportsOf(await import(pathToFileURL(path).href));
    if (given) return readOwnSuite(name, given, taken);
  } catch (thrown) {
    return refusal(...loadingProblem(name, path, thrown));
  }
  return refusal(
    `${name} exports neither checks nor rules`,
    'write `export const checks = [defineCheck({ ... })];`, see docs/library.md',
  );
}

/** Patterns that select no check. Most are misspelled, and a run without the check would look good. */
export function unmatchedPatterns(
  checks: readonly Check[],
  only: readonly string[],
): readonly { readonly pattern: string; readonly next: string }[] {
  const known = [...checks.map(({ id }) => id), ...requirementIds];
  return patternsOf(only)
    .filter((pattern) => !checks.some((check) => selects(pattern, check, requirements)))
    .map((pattern) => ({
      pattern,
      next: familyOf(pattern, known) ?? suggestion(pattern, known) ?? 'ids: assay check --dry-run',
    }));
}

/** Hint for a pattern that is only the beginning of an id: such a pattern selects nothing without `*`. */
function familyOf(pattern: string, known: readonly string[]): string | undefined {
  const start = `${pattern.replace(/[.*]+$/, '')}.`;
  return known.some((id) => id.startsWith(start)) ? `did you mean "${start}*"?` : undefined;
}

function loadingProblem(name: string, path: string, thrown: unknown): [what: string, next: string] {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return [
      `${name} does not load: this Node does not read ${path.slice(path.lastIndexOf('.'))} files`,
      'write it as .mjs; TypeScript needs Node 22.18 or later, or NODE_OPTIONS="--import tsx"',
    ];
  }
  const [reason = ''] = reasonOf(thrown).split('\n');
  const kind = thrown instanceof Error ? thrown.name : 'Error';
  return [`${name} does not load: ${kind}: ${reason}`, `run it alone to see where: node ${name}`];
}

type Exports = { readonly checks?: unknown; readonly rules?: unknown };

/** The named exports, and those of the default export. */
function exportsOf(module: unknown): Exports | undefined {
  if (!isObject(module)) return undefined;
  const usual = isObject(module['default']) ? module['default'] : {};
  const checks = module['checks'] ?? usual['checks'];
  const rules = module['rules'] ?? usual['rules'];
  return checks === undefined && rules === undefined ? undefined : { checks, rules };
}

/** Names that the suite uses for its own exchanges. A check with such an id would be mistaken for the suite. */
const reserved = /^(?:control|preflight|judge|run)$|^party\./;
const idForm = /^[a-z0-9][\w.-]*$/i;

const textOf = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** Validates a user's checks and rules, loaded from a file or passed directly. */
export function readOwnSuite(
  name: string,
  { checks = [], rules = [] }: Exports,
  taken: TakenIds,
): SuiteReading {
  const problems: SuiteProblem[] = [];
  const refuse = (place: string, what: string, next: string): void => {
    problems.push({ what: `${name}: ${place} ${what}`, next });
  };

  function readId(id: unknown, place: string): void {
    const is = `is ${textOf(id)}`;
    if (typeof id !== 'string' || !idForm.test(id)) {
      const form = 'letters, digits, dots, dashes and underscores, as "acme.order.note"';
      return refuse(place, is, `give it an id of ${form}`);
    }
    if (reserved.test(id))
      return refuse(place, `${is}, which the suite keeps`, 'name it otherwise');
    const owner = taken.get(id);
    taken.set(id, owner ?? name);
    if (owner === undefined) return;
    refuse(
      place,
      `${is}, which ${owner} has already`,
      'give it an id of its own, such as "acme.NAME"',
    );
  }

  function readNames(value: unknown, all: readonly string[], place: string, what: string): void {
    if (!Array.isArray(value)) {
      return refuse(place, `is ${textOf(value)}`, `give a list of ${what}, which may be empty`);
    }
    for (const one of value as readonly unknown[]) {
      if (typeof one === 'string' && all.includes(one)) continue;
      const near = typeof one === 'string' ? suggestion(one, all) : undefined;
      const any = all.length < 20 ? `one of ${all.join(', ')}` : 'ids: assay spec requirements';
      refuse(place, `has ${textOf(one)}, which is none of the ${what}`, near ?? any);
    }
  }

  function readNeeds(needs: unknown, place: string): void {
    if (!isObject(needs)) {
      const next = "say who takes part: needs: { parties: ['sender'] }";
      return refuse(place, `is ${textOf(needs)}`, next);
    }
    const { parties, controls: used = [], waitMs = 0 } = needs;
    readNames(parties, castNames, `${place}.parties`, 'parties');
    readNames(used, controls, `${place}.controls`, 'controls');
    if (typeof waitMs !== 'number' || !(waitMs >= 0)) {
      refuse(`${place}.waitMs`, `is ${textOf(waitMs)}`, 'give milliseconds of target time');
    }
  }

  /** Reads a list of checks or rules. `readRest` reads the fields of only one of the two kinds. */
  function readList(
    value: unknown,
    list: 'checks' | 'rules',
    readRest: (one: Readonly<Record<string, unknown>>, place: string) => void,
  ): void {
    if (!Array.isArray(value)) {
      return refuse(list, 'is no list', `write \`export const ${list} = [ ... ];\``);
    }
    const [maker, act] = list === 'checks' ? ['defineCheck', 'run'] : ['defineRule', 'judge'];
    for (const [index, one] of value.entries() as Iterable<[number, unknown]>) {
      const place = `${list}[${index}]`;
      if (!isObject(one)) {
        refuse(place, `is ${textOf(one)}`, `make it with ${maker}({ ... })`);
        continue;
      }
      const { id, title, requirements: ids } = one;
      readId(id, `${place}.id`);
      if (typeof title !== 'string' || title.trim() === '') {
        refuse(`${place}.title`, 'is missing', 'say in one sentence what must hold');
      }
      readNames(ids, requirementIds, `${place}.requirements`, 'requirements');
      if (typeof one[act] !== 'function') {
        refuse(`${place}.${act}`, 'is no function', `make it with ${maker}({ ... })`);
      }
      readRest(one, place);
    }
  }

  readList(checks, 'checks', ({ needs }, place) => readNeeds(needs, `${place}.needs`));
  readList(rules, 'rules', ({ requirements: ids }, place) => {
    if (!Array.isArray(ids) || ids.length > 0) return;
    const next = 'name what it judges; a rule does nothing else';
    refuse(`${place}.requirements`, 'is empty', next);
  });
  const suite = { checks, rules } as OwnSuite;
  if (problems.length === 0 && suite.checks.length + suite.rules.length === 0) {
    const what = `${name}: its checks and rules are empty`;
    problems.push({ what, next: 'add one, or leave the file out' });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, suite };
}

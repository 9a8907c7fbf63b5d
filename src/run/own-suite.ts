import { pathToFileURL } from 'node:url';
import type { Check } from '../suite/engine/check.ts';
import type { Rule } from '../oracle/index.ts';
import { patternsOf, selects } from '../suite/engine/plan.ts';
import { controls } from '../spec/requirements/requirement.ts';
import { castNames, requirementIds, requirements } from '../spec/requirements/index.ts';
import { suggestion } from '../yaml/index.ts';
import { readText, reasonOf } from './read-text.ts';

/** Checks and rules that a user adds to the suite. */
export interface OwnSuite {
  readonly checks: readonly Check[];
  readonly rules: readonly Rule[];
}

/** What is wrong with what a user wrote, and what to do about it. */
export interface SuiteProblem {
  readonly what: string;
  readonly next: string;
}

export type SuiteReading =
  | { readonly ok: true; readonly suite: OwnSuite }
  | { readonly ok: false; readonly problems: readonly SuiteProblem[] };

/** Ids that are taken, each with who has it: `the suite`, or a file. */
export type TakenIds = Map<string, string>;

/** The ids of the suite itself; a user's own must differ from them. */
export const idsOf = ({ checks, rules }: OwnSuite): TakenIds =>
  new Map([...checks, ...rules].map(({ id }) => [id, 'the suite']));

/**
 * Loads an ES module that exports `checks`, `rules` or both, by name or in its default export, and looks at
 * everything that a run leans on. All problems at once.
 * @param name what messages call the file
 * @param taken grows by the ids that are found
 */
export async function loadOwnSuite(
  name: string,
  path: string,
  taken: TakenIds,
): Promise<SuiteReading> {
  const text = readText(path);
  if (!text.ok) {
    return { ok: false, problems: [{ what: `${name}: ${text.reason}`, next: 'check the path' }] };
  }
  let exported: unknown;
  try {
    exported = await import(pathToFileURL(path).href);
  } catch (thrown) {
    return { ok: false, problems: [loadingProblem(name, path, thrown)] };
  }
  const given = exportsOf(exported);
  if (given === undefined) {
    const what = `${name} exports neither checks nor rules`;
    const next = 'write `export const checks = [defineCheck({ ... })];`, see docs/library.md';
    return { ok: false, problems: [{ what, next }] };
  }
  return readOwnSuite(name, given, taken);
}

/** Patterns that select none of some checks: most likely misspelled, they would make a run look good. */
export function unmatchedPatterns(
  checks: readonly Check[],
  only: readonly string[],
): readonly { readonly pattern: string; readonly next: string }[] {
  const known = [...checks.map(({ id }) => id), ...requirementIds];
  return patternsOf(only)
    .filter((pattern) => !checks.some((check) => selects(pattern, check, requirements)))
    .map((pattern) => ({
      pattern,
      next: suggestion(pattern, known) ?? 'ids: assay check --dry-run',
    }));
}

function loadingProblem(name: string, path: string, thrown: unknown): SuiteProblem {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return {
      what: `${name} does not load: this Node does not read ${path.slice(path.lastIndexOf('.'))} files`,
      next: 'write it as .mjs; TypeScript needs Node 22.18 or later, or NODE_OPTIONS="--import tsx"',
    };
  }
  const [reason = ''] = reasonOf(thrown).split('\n');
  const kind = thrown instanceof Error ? thrown.name : 'Error';
  return {
    what: `${name} does not load: ${kind}: ${reason}`,
    next: `run it alone to see where: node ${name}`,
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Exports = { readonly checks?: unknown; readonly rules?: unknown };

/** By name, and what the default export has besides. */
function exportsOf(module: unknown): Exports | undefined {
  if (!isRecord(module)) return undefined;
  const usual = isRecord(module['default']) ? module['default'] : {};
  const checks = module['checks'] ?? usual['checks'];
  const rules = module['rules'] ?? usual['rules'];
  return checks === undefined && rules === undefined ? undefined : { checks, rules };
}

/** Looks at checks and rules that a user wrote, whether they were loaded or handed over. */
export function readOwnSuite(
  name: string,
  { checks = [], rules = [] }: Exports,
  taken: TakenIds,
): SuiteReading {
  const reader = createSubscriber(name, taken);
  const found = {
    checks: reader.checks(checks) as readonly Check[],
    rules: reader.rules(rules) as readonly Rule[],
  };
  const { problems } = reader;
  if (problems.length === 0 && found.checks.length + found.rules.length === 0) {
    problems.push({
      what: `${name}: its checks and rules are empty`,
      next: 'add one, or leave the file out',
    });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, suite: found };
}

/** Names that the suite acts under by itself: exchanges of a check with such an id would be taken for its own. */
const reserved = /^(?:control|preflight|judge|run)$|^party\./;
const idForm = /^[a-z0-9][\w.-]*$/i;

const textOf = (value: unknown): string => JSON.stringify(value) ?? String(value);

function createSubscriber(name: string, taken: TakenIds) {
  const problems: SuiteProblem[] = [];
  const wrong = (place: string, what: string, next: string): void => {
    problems.push({ what: `${name}: ${place} ${what}`, next });
  };

  function id(value: unknown, place: string): void {
    if (typeof value !== 'string' || !idForm.test(value)) {
      const form = 'letters, digits, dots, dashes and underscores, as "acme.order.note"';
      return wrong(`${place}.id`, `is ${textOf(value)}`, `give it an id of ${form}`);
    }
    if (reserved.test(value)) {
      return wrong(
        `${place}.id`,
        `is ${textOf(value)}, which the suite keeps`,
        'name it otherwise',
      );
    }
    const owner = taken.get(value);
    if (owner !== undefined) {
      const what = `is ${textOf(value)}, which ${owner} has already`;
      return wrong(`${place}.id`, what, 'give it an id of its own, such as "acme.NAME"');
    }
    taken.set(value, name);
  }

  function words(value: unknown, known: readonly string[], place: string, what: string): void {
    if (!Array.isArray(value)) {
      return wrong(place, `is ${textOf(value)}`, `give a list of ${what}, which may be empty`);
    }
    for (const one of value as readonly unknown[]) {
      if (typeof one === 'string' && known.includes(one)) continue;
      const hint = typeof one === 'string' ? suggestion(one, known) : undefined;
      const all = known.length < 20 ? `one of ${known.join(', ')}` : 'ids: assay spec requirements';
      wrong(place, `has ${textOf(one)}, which is none of the ${what}`, hint ?? all);
    }
  }

  /** What checks and rules have in common; undefined where it is no object at all. */
  function common(value: unknown, place: string, what: string, act: 'run' | 'judge') {
    if (!isRecord(value)) {
      wrong(place, `is ${textOf(value)}`, `make it with ${what}({ ... })`);
      return undefined;
    }
    id(value['id'], place);
    if (typeof value['title'] !== 'string' || value['title'].trim() === '') {
      wrong(`${place}.title`, 'is missing', 'say in one sentence what must hold');
    }
    words(value['requirements'], requirementIds, `${place}.requirements`, 'requirements');
    if (typeof value[act] !== 'function') {
      wrong(`${place}.${act}`, 'is no function', `make it with ${what}({ ... })`);
    }
    return value;
  }

  function needs(value: unknown, place: string): void {
    if (!isRecord(value)) {
      return wrong(
        place,
        `is ${textOf(value)}`,
        "say who takes part: needs: { parties: ['sender'] }",
      );
    }
    words(value['parties'], castNames, `${place}.parties`, 'parties');
    if (value['controls'] !== undefined) {
      words(value['controls'], controls, `${place}.controls`, 'controls');
    }
    const wait = value['waitMs'] ?? 0;
    if (typeof wait !== 'number' || !(wait >= 0)) {
      wrong(`${place}.waitMs`, `is ${textOf(wait)}`, 'give milliseconds of target time');
    }
  }

  function each(value: unknown, name: string, look: (one: unknown, at: string) => void): unknown {
    if (Array.isArray(value)) {
      for (const [place, one] of value.entries()) look(one, `${name}[${place}]`);
    } else wrong(name, 'is no list', `write \`export const ${name} = [ ... ];\``);
    return value;
  }

  return {
    problems,
    checks: (value: unknown): unknown =>
      each(value, 'checks', (one, place) => {
        const check = common(one, place, 'defineCheck', 'run');
        if (check) needs(check['needs'], `${place}.needs`);
      }),
    rules: (value: unknown): unknown =>
      each(value, 'rules', (one, place) => {
        const rule = common(one, place, 'defineRule', 'judge');
        const ids = rule?.['requirements'];
        if (Array.isArray(ids) && ids.length === 0) {
          wrong(
            `${place}.requirements`,
            'is empty',
            'name what it judges; a rule does nothing else',
          );
        }
      }),
  };
}

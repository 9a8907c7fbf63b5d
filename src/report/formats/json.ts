import { isObject } from '../../history/json.ts';
import { loggableJson } from './escape.ts';
import { type RunReport, reportFormat } from '../../results/run-report.ts';
import { verdicts } from '../../results/verdicts.ts';

/** `report.json`: the same bytes for the same report. */
export const toJson = (report: RunReport): string =>
  `${loggableJson(JSON.stringify(report, undefined, 2))}\n`;

export type ReadReport =
  | { readonly ok: true; readonly report: RunReport }
  | { readonly ok: false; readonly problem: string };

const no = (problem: string): ReadReport => ({ ok: false, problem });

interface Form {
  readonly what: string;
  readonly holds: (value: unknown) => boolean;
}

const text: Form = { what: 'a text', holds: (value) => typeof value === 'string' };
const number: Form = { what: 'a number', holds: (value) => typeof value === 'number' };
const list: Form = { what: 'a list', holds: Array.isArray };
const object: Form = { what: 'an object', holds: isObject };
const verdict: Form = {
  what: `one of ${verdicts.join(', ')}`,
  holds: (value) => verdicts.some((one) => one === value),
};
const outcome: Form = {
  what: 'fail or warn',
  holds: (value) => value === 'fail' || value === 'warn',
};

type Forms = Readonly<Record<string, Form>>;

const judge: Forms = { id: text, title: text, requirements: list, verdict, failures: list };

/** What is leaned on of each entry of a list. */
const entryForms: Readonly<Record<string, Forms>> = {
  requirements: { id: text, part: text, summary: text, verdict, judged_by: list },
  checks: judge,
  rules: judge,
  causes: { id: text, title: text, outcome, place: object, requirements: list, failures: list },
  gaps: { id: text, question: text },
};

/** And of each object. */
const objectForms: Readonly<Record<string, Forms>> = {
  suite: { version: text, digest: text },
  target: { name: text, participants: object, clock: object },
  run: { seed: text, started_at: text, finished_at: text, wall_ms: number, target_ms: number },
  totals: { requirements: object, checks: object },
};

const lists = ['requirements', 'checks', 'rules', 'gaps'] as const;
const objects = ['suite', 'target', 'run', 'totals'] as const;

const problemOf = (place: string, value: unknown, forms: Forms): string | undefined => {
  if (!isObject(value)) return `${place} is no object`;
  const wrong = Object.entries(forms).find(([key, { holds }]) => !holds(value[key]));
  return wrong && `${place}.${wrong[0]} is not ${wrong[1].what}`;
};

/** The first entry that is not as every report has it. */
function problemWithin(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, forms] of Object.entries(objectForms)) {
    const problem = problemOf(key, value[key], forms);
    if (problem !== undefined) return problem;
  }
  for (const [key, forms] of Object.entries(entryForms)) {
    const entries = value[key] ?? [];
    if (!Array.isArray(entries)) return `${key} is no list`;
    for (const [index, entry] of entries.entries()) {
      const problem = problemOf(`${key}[${index}]`, entry, forms);
      if (problem !== undefined) return problem;
    }
  }
  return shardProblem(value['coverage']);
}

const partOf = (coverage: unknown): unknown => (isObject(coverage) ? coverage['part'] : undefined);

function shardProblem(coverage: unknown): string | undefined {
  const part = partOf(coverage);
  const shard = isObject(part) ? part['shard'] : undefined;
  if (shard === undefined) return undefined;
  const { of, parts } = isObject(shard) ? shard : {};
  const isPart = (one: unknown): boolean =>
    Number.isInteger(one) && Number(one) >= 1 && Number(one) <= Number(of);
  const holds =
    Number.isSafeInteger(of) && Array.isArray(parts) && parts.length > 0 && parts.every(isPart);
  return holds ? undefined : 'coverage.part.shard does not name parts: { "of": 2, "parts": [1] }';
}

/** Reports before November 2026 have the parts of a shard as a text: `2 of 4`, `1 to 3 of 4`. */
function withShardParts(report: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { coverage } = report;
  const part = partOf(coverage);
  const text = isObject(part) ? part['shard'] : undefined;
  if (typeof text !== 'string' || !isObject(coverage)) return { ...report };
  const [, from, to = from, of] = /^(\d+)(?: ?(?:-|to) ?(\d+))? of (\d+)$/.exec(text) ?? [];
  const count = Math.max(0, Number(to) - Number(from) + 1);
  if (of === undefined || count > Number(of)) return { ...report };
  const parts = Array.from({ length: count }, (_, place) => Number(from) + place);
  const shard = { of: Number(of), parts };
  return { ...report, coverage: { ...coverage, part: { ...Object(part), shard } } };
}

/** Reads a report back; what is not one is answered, not thrown. Checked is whatever the formats lean on. */
export function readReport(written: string): ReadReport {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return no('not JSON');
  }
  if (!isObject(value)) return no('not a report: no object');
  if (value['format'] !== reportFormat) {
    return no(`not a report: "format" is not ${JSON.stringify(reportFormat)}`);
  }
  const report = withShardParts(value);
  const missing = [
    ...lists.filter((key) => !Array.isArray(report[key])),
    ...objects.filter((key) => !isObject(report[key])),
  ];
  if (missing.length > 0) return no(`not a report: ${missing.join(', ')} missing`);
  const problem = problemWithin(report);
  return problem === undefined
    ? { ok: true, report: report as unknown as RunReport }
    : no(`not a report: ${problem}`);
}

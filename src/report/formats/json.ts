import { isObject } from '../../history/json.ts';
import { tooDeep, misfitIn } from '../../history/shape.ts';
import { loggableJson } from './escape.ts';
import { reportFormat, runReport, type RunReport } from '../../results/run-report.ts';

/** Text of `report.json`. Equal reports give equal bytes. */
export const toJson = (report: RunReport): string =>
  `${loggableJson(JSON.stringify(report, undefined, 2))}\n`;

export type ReadReport =
  | { readonly ok: true; readonly report: RunReport }
  | { readonly ok: false; readonly problem: string };

const no = (problem: string): ReadReport => ({ ok: false, problem });

const partOf = (coverage: unknown): unknown => (isObject(coverage) ? coverage['part'] : undefined);

/** Converts reports before November 2026, which have the parts of a shard as text: `2 of 4`, `1 to 3 of 4`. */
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

/** Reads a report. Returns a problem, and does not throw, if it is none. Validates all fields that the formats use. */
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
  const problem = tooDeep(report) ?? misfitIn(runReport, report);
  return problem === undefined
    ? { ok: true, report: report as unknown as RunReport }
    : no(`not a report: ${problem}`);
}

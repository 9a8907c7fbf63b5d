import { isObject } from '../../history/json.ts';
import { type JsonReading, misfitIn, readJsonFile } from '../../history/shape.ts';
import { loggableJson } from './escape.ts';
import { reportFormat, runReport, type RunReport } from '../../results/run-report.ts';

/** Text of `report.json`. Equal reports give equal bytes. */
export const toJson = (report: RunReport): string =>
  `${loggableJson(JSON.stringify(report, undefined, 2))}\n`;

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

/** Reads a report. Validates all fields that the formats use. */
export const readReport = (written: string): JsonReading<RunReport> =>
  readJsonFile(
    written,
    'a report',
    reportFormat,
    (report) => misfitIn(runReport, report),
    withShardParts,
  );

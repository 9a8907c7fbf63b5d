import { isObject } from '../../history/json.ts';
import { type RunReport, reportFormat } from '../../results/run-report.ts';

/** `report.json`: the same bytes for the same report. */
export const toJson = (report: RunReport): string => `${JSON.stringify(report, undefined, 2)}\n`;

export type ReadReport =
  | { readonly ok: true; readonly report: RunReport }
  | { readonly ok: false; readonly problem: string };

const no = (problem: string): ReadReport => ({ ok: false, problem });

const lists = ['requirements', 'checks', 'rules', 'gaps'] as const;
const objects = ['suite', 'target', 'run', 'totals'] as const;

/** Reads a report back; what is not one is answered, not thrown. Only the outer keys are checked. */
export function readReport(text: string): ReadReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return no('not JSON');
  }
  if (!isObject(value)) return no('not a report: no object');
  if (value['format'] !== reportFormat) {
    return no(`not a report: "format" is not ${JSON.stringify(reportFormat)}`);
  }
  const missing = [
    ...lists.filter((key) => !Array.isArray(value[key])),
    ...objects.filter((key) => !isObject(value[key])),
  ];
  if (missing.length > 0) return no(`not a report: ${missing.join(', ')} missing`);
  return { ok: true, report: value as unknown as RunReport };
}

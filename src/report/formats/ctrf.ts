import type { Verdict } from '../../results/verdicts.ts';
import type { RequirementReport, RunReport } from '../../results/run-report.ts';
import { failuresByRequirement } from '../summary.ts';
import { partTitle, rootOf, valuesOf } from '../labels.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** "Not proven" is neither passed nor skipped. */
const statuses: Readonly<Record<Verdict, Status>> = {
  pass: 'passed',
  out_of_scope: 'skipped',
  not_exercised: 'pending',
  inconclusive: 'other',
  warn: 'passed',
  fail: 'failed',
  error: 'other',
};

const statusOf = ({ verdict, waived }: RequirementReport): Status =>
  waived === undefined ? statuses[verdict] : 'skipped';

/** Common Test Report Format (JSON): a test per requirement, its part as suite, our verdict as raw status. */
export function toCtrf(report: RunReport): string {
  const traces = new Map(
    failuresByRequirement(report, 'fail', 'warn').map(({ requirement, findings }) => [
      requirement.id,
      findings.map(({ source, failure }) => {
        const { message, exchanges } = failure;
        const values = [
          ...valuesOf(failure).map(([name, value]) => `${name} ${value}`),
          ...(exchanges.length === 0 ? [] : [`exchanges ${exchanges.join(', ')}`]),
        ];
        return [`${source.id}: ${message}`, ...values].join('\n  ');
      }),
    ]),
  );
  const tests = report.requirements.map((requirement) => {
    const { id, part, summary, verdict, reason, level, waived } = requirement;
    const root = rootOf(part);
    const trace = traces.get(id)?.join('\n');
    const message = waived === undefined ? reason : `waived: ${waived}`;
    return {
      name: `${id}: ${summary}`,
      status: statusOf(requirement),
      duration: 0,
      suite: [`${root} ${partTitle(root)}`],
      ...(message !== undefined && { message }),
      ...(trace !== undefined && { trace }),
      rawStatus: verdict,
      tags: [`part ${part}`, level],
      type: 'conformance',
    };
  });
  const number = (status: Status): number => tests.filter((test) => test.status === status).length;
  const { outcome, suite, target, run } = report;
  const document = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: run.finished_at,
    generatedBy: 'assay',
    results: {
      tool: { name: 'assay', version: suite.version },
      summary: {
        tests: tests.length,
        passed: number('passed'),
        failed: number('failed'),
        skipped: number('skipped'),
        pending: number('pending'),
        other: number('other'),
        start: Date.parse(run.started_at),
        stop: Date.parse(run.finished_at),
        extra: { outcome, seed: run.seed },
      },
      tests,
      environment: { appName: target.name },
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

import type { RunReport } from '../../results/run-report.ts';
import { loggableJson } from './escape.ts';
import { type CaseResult, type TestCase, type TestSuite, testSuites } from './test-cases.ts';

type Status = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** CTRF status by result. Warnings and unproven results are neither passed nor skipped. */
const statuses: Readonly<Record<CaseResult, Status>> = {
  passed: 'passed',
  warned: 'other',
  failed: 'failed',
  error: 'other',
  explained: 'other',
  expected: 'skipped',
  inconclusive: 'other',
  not_exercised: 'pending',
  out_of_scope: 'skipped',
};

const testOf = (each: TestCase, { name: suite }: TestSuite) => ({
  name: each.name,
  status: statuses[each.result],
  duration: Math.round(each.tookMs ?? 0),
  suite: [suite],
  ...(each.message !== undefined && { message: each.message }),
  ...(each.details.length > 0 && { trace: each.details.join('\n') }),
  rawStatus: each.verdict,
  tags: each.tags,
  type: 'conformance',
});

/** Common Test Report Format 1.0 (JSON): causes, requirements, checks and rules; our verdict is the raw status. */
export function toCtrf(report: RunReport): string {
  const suites = testSuites(report);
  const tests = suites.flatMap((suite) => suite.cases.map((each) => testOf(each, suite)));
  const number = (status: Status): number => tests.filter((test) => test.status === status).length;
  const { outcome, suite, target, run, baseline } = report;
  const document = {
    reportFormat: 'CTRF',
    specVersion: '1.0.0',
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
        suites: suites.length,
        start: Date.parse(run.started_at),
        stop: Date.parse(run.finished_at),
        duration: run.wall_ms,
        extra: {
          outcome,
          ...(run.ended_early && { ended_early: run.ended_early }),
          seed: run.seed,
          ...(baseline && { baseline }),
        },
      },
      tests,
      environment: { appName: target.name },
    },
  };
  return `${loggableJson(JSON.stringify(document, undefined, 2))}\n`;
}

/** Records, failures and their causes for tests. */
import type { Exchange, Frame, History, HistoryRecord } from '../../src/history/records.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import { requirements, type RequirementId } from '../../src/spec/requirements/index.ts';
import type { CauseReport, CheckReport, RequirementReport } from '../../src/results/run-report.ts';
import type { FoundFailure } from '../../src/results/source-report.ts';
import { exchange as madeExchange, frame as madeFrame } from './records.ts';
import { causesOf, createLocator } from '../../src/results/causes/index.ts';

export const exchange = (
  id: string,
  endpoint: EndpointName,
  data: unknown,
  more: Partial<Exchange> = {},
): Exchange => {
  const response = { status: 200, headers: {}, body: { data, meta: {} } };
  return madeExchange({ id, endpoint, response, ...more });
};

export const frame = (id: string, event: string, data: unknown): Frame =>
  madeFrame({ id, event, data });

export const failed = (
  requirement: RequirementId,
  message: string,
  more: Partial<FoundFailure>,
): FoundFailure => ({
  requirement,
  outcome: 'fail',
  message,
  exchanges: [],
  ...more,
});

/** The causes of some failures of one rule. */
export function causesIn(
  failures: readonly FoundFailure[],
  records: readonly HistoryRecord[],
): CauseReport[] {
  const history: History = { records };
  const reports = Object.entries(requirements).map(
    ([id, { part, level, summary }]): RequirementReport => {
      const own = failures.filter(({ requirement }) => requirement === id);
      const verdict = own[0]?.outcome ?? 'pass';
      return { id, part, level, summary, verdict, judged_by: ['rule'], exercised: 1 };
    },
  );
  const rule: CheckReport = {
    id: 'rule',
    title: 'A rule.',
    requirements: [],
    verdict: 'fail',
    failures: failures.map(createLocator(history)),
  };
  return causesOf(reports, [rule]);
}

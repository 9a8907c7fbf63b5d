import { correlationText } from '../history/correlation.ts';
import type { History } from '../history/records.ts';
import { createSecrets } from '../history/secrets/secrets.ts';
import { type CheckReport, evidenceIndex, type RunReport, valuesOf } from '../report/index.ts';

/** Maximum number of findings of one check or rule in the message of a test; report.json has more. */
const mostShown = 3;

/**
 * Error of a test for a check or rule that failed: the deviation, expected and actual values, and the exchanges that
 * show it. A test runner prints the difference between `expected` and `actual`.
 */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure';
  readonly expected?: unknown;
  readonly actual?: unknown;

  constructor(message: string, first: { readonly expected?: unknown; readonly actual?: unknown }) {
    super(message);
    if ('expected' in first) this.expected = first.expected;
    if ('actual' in first) this.actual = first.actual;
    // A stack trace would lead into the suite, where nothing is wrong.
    this.stack = `${this.name}: ${message}`;
  }
}

/** Builds the failure of one check or rule; findings that only warn are left out. */
export function failureOf(
  report: RunReport,
  history: History,
  judge: CheckReport,
): ConformanceFailure {
  const findings = judge.failures.filter(({ outcome }) => outcome === 'fail');
  const shown = evidenceIndex(report, createSecrets().maskHistory(history));
  const texts = findings.slice(0, mostShown).map((finding) => {
    const exchanges = shown
      .show(finding.exchanges)
      .flatMap(({ party, what, sent, received }) => [
        `  ${party}  ${what}`,
        ...(sent === undefined ? [] : [`    sent      ${sent}`]),
        ...(received === undefined ? [] : [`    received  ${received}`]),
      ]);
    return [
      finding.message,
      `  requirement ${finding.requirement ?? ''}: ${summaryOf(report, finding.requirement)}`,
      ...valuesOf(finding).map(([name, value]) => `  ${name.padEnd(10)}${value}`),
      ...exchanges,
      ...(finding.correlation ?? []).map((one) => `  ${correlationText(one)}`),
    ].join('\n');
  });
  const more = findings.length - mostShown + (judge.omitted ?? 0);
  if (more > 0) texts.push(`and ${more} more`);
  const [first = {}] = findings;
  return new ConformanceFailure(texts.join('\n\n') || (judge.reason ?? 'it failed'), first);
}

const summaryOf = (report: RunReport, id: string | undefined): string =>
  report.requirements.find((one) => one.id === id)?.summary ?? '';

import { idsOf, type OwnSuite, readOwnSuite } from '../run/own-suite.ts';
import { UsageError } from './usage-error.ts';

/** A suite with the caller's own checks and rules. Throws a UsageError `suite` if they cannot be run. */
export function withOwn(suite: OwnSuite, own: OwnSuite): OwnSuite {
  if (own.checks.length + own.rules.length === 0) return suite;
  const read = readOwnSuite('options', own, idsOf(suite));
  if (!read.ok) {
    throw new UsageError(
      'suite',
      read.problems.map(({ what, next }) => `${what}\n  next: ${next}`),
    );
  }
  return { checks: [...suite.checks, ...own.checks], rules: [...suite.rules, ...own.rules] };
}

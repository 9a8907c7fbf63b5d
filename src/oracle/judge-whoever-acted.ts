import type { Finding } from '../results/findings.ts';
import type { Rule } from './rule.ts';
import type { HistoryView } from './trace/history-view.ts';

const keyOf = ({ requirement, evidence }: Finding): string => [requirement, ...evidence].join('\n');

/** A violation counts only if it is one also when parties outside the history acted unseen; else it is inconclusive. */
export function* judgeWhoeverActed(rule: Rule, view: HistoryView): Generator<Finding> {
  const failures: Finding[] = [];
  try {
    for (const finding of rule.judge(view)) {
      if (finding.outcome === 'fail') failures.push(finding);
      else yield finding;
    }
  } finally {
    // Findings that the rule made before it threw still count.
    const more = failures.length > 0 ? view.withUnrecorded() : undefined;
    yield* more ? whoeverActed(failures, rule, more) : failures;
  }
}

function* whoeverActed(
  failures: readonly Finding[],
  rule: Rule,
  view: HistoryView,
): Generator<Finding> {
  const open = new Map(failures.map((one) => [keyOf(one), one]));
  // Of many failures the last one kept counts for the rest, which are no longer known one by one.
  const counted = failures.filter(({ times = 1 }) => times > 1);
  const many = new Set(counted.map(({ requirement }) => requirement));
  for (const finding of rule.judge(view)) {
    if (finding.outcome !== 'fail') continue;
    if (open.delete(keyOf(finding)) || many.has(finding.requirement)) yield finding;
  }
  for (const finding of open.values()) {
    const message = `${finding.message}, which a client outside this history may explain`;
    yield { ...finding, outcome: 'inconclusive', message };
  }
}

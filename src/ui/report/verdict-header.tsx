import { verdictLabels, verdictOrder } from '../../report/labels.ts';
import { checkCommand } from '../../report/replay-words.ts';
import { durationText } from '../../report/sequence/sequence.ts';
import type { CheckReport, RunReport } from '../../results/run-report.ts';
import type { Verdict } from '../../results/verdicts.ts';
import { Copyable } from '../shared/copyable.tsx';
import { ThemeSwitch } from '../shared/theme-switch.tsx';
import type { ReportData } from './data.ts';
import { Definitions } from './markup.tsx';

const outcomeWords = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  incomplete: 'Incomplete',
  error: 'The suite broke',
} as const;

/** Verdict on the target, and its coverage. */
export function VerdictHeader({ data }: { readonly data: ReportData }) {
  const { report, sentence } = data;
  const { target, totals, scenarios, rules, outcome, gaps } = report;
  const rest = sentence.slice(sentence.indexOf(':') + 1).trim();
  return (
    <header class="stack">
      <div class="row brand">
        <p class="soft">Assay · report of a run, {report.run.started_at}</p>
        <ThemeSwitch />
      </div>
      <h1>{target.name}</h1>
      <p class={`row outcome outcome-${outcome}`}>
        <strong>{report.play ? sentence.split(':')[0] : outcomeWords[outcome]}</strong>
        <span>{rest}</span>
      </p>
      <Definitions
        name="row tallies"
        rows={[
          ['Scenarios', scenarios && tally(countsOf(scenarios))],
          ['Requirements', tally(totals.requirements)],
          ['Checks', !scenarios && report.checks.length > 0 ? tally(totals.checks) : undefined],
          ['Rules', rules.length > 0 ? tally(countsOf(rules)) : undefined],
          ['Gaps', gaps.length > 0 ? knownOf(gaps) : undefined],
        ]}
      />
    </header>
  );
}

/** When and with what the run was made, and the command that repeats it. */
export const RunFacts = ({ report }: { readonly report: RunReport }) => (
  <>
    <Definitions name="row facts small" rows={factsOf(report)} />
    {report.checks.length > 0 && !report.scenarios && (
      <Copyable text={checkCommand(report)} what="the command of this run" />
    )}
  </>
);

const countsOf = (some: readonly Pick<CheckReport, 'verdict'>[]) =>
  Object.fromEntries(
    verdictOrder.map((verdict) => [verdict, some.filter((one) => one.verdict === verdict).length]),
  ) as Record<Verdict, number>;

const tally = (counts: Readonly<Record<Verdict, number>>) =>
  verdictOrder
    .filter((verdict) => counts[verdict] > 0)
    .map((verdict) => (
      <span key={verdict} class={verdict}>
        <b>{counts[verdict]}</b> {verdictLabels[verdict]}
      </span>
    ));

const knownOf = (gaps: RunReport['gaps']) => (
  <span>
    <b>{gaps.filter(({ declared, observed }) => declared ?? observed).length}</b> of {gaps.length}{' '}
    answers known
  </span>
);

function factsOf({ run, target, suite }: RunReport) {
  const parties = Object.entries(target.participants);
  const roles = [...new Set(parties.map(([, { role }]) => role))];
  return [
    ['started', run.started_at],
    [
      'took',
      `${(run.wall_ms / 1_000).toFixed(1)} s for ${durationText(run.target_ms)} of target time`,
    ],
    ['clock', target.clock.kind],
    ['seed', <code>{run.seed}</code>],
    [
      'suite',
      <>
        {suite.version} <code>{suite.digest.slice(0, 12)}</code>
      </>,
    ],
    ...roles.map(
      (role) =>
        [
          role,
          parties.flatMap(([name, party]) => (party.role === role ? [name] : [])).join(', '),
        ] as const,
    ),
  ] as const;
}

import type { ComponentChildren } from 'preact';
import { count, verdictLabels, verdictOrder } from '../../report/labels.ts';
import { checkCommand } from '../../report/replay-words.ts';
import { durationText } from '../../report/sequence/sequence.ts';
import type { CheckReport, RunReport } from '../../results/run-report.ts';
import type { Verdict } from '../../results/verdicts.ts';
import { Copyable } from '../shared/copyable.tsx';
import { ThemeSwitch } from '../shared/theme-switch.tsx';
import type { ReportData } from './data.ts';

const outcomeWords = {
  conformant: 'Conformant',
  nonconformant: 'Not conformant',
  incomplete: 'Incomplete',
  error: 'The suite broke',
} as const;

/** Verdict on the target, and its coverage. */
export function VerdictHeader({ data }: { readonly data: ReportData }) {
  const { report, sentence } = data;
  const { target, totals, scenarios, rules, outcome, causes } = report;
  const rest = sentence.slice(sentence.indexOf(':') + 1).trim();
  const known = report.gaps.filter(({ declared, observed }) => declared ?? observed).length;
  return (
    <header>
      <div class="brand">
        <p class="soft">Assay · report of a run</p>
        <ThemeSwitch />
      </div>
      <h1>{target.name}</h1>
      <p class={`outcome outcome-${outcome}`}>
        <strong>{report.play ? sentence.split(':')[0] : outcomeWords[outcome]}</strong>
        <span>{rest}</span>
      </p>
      <dl class="tallies">
        {scenarios && <Tally what="Scenarios" counts={countsOf(scenarios)} />}
        <Tally what="Requirements" counts={totals.requirements} />
        {!scenarios && report.checks.length > 0 && <Tally what="Checks" counts={totals.checks} />}
        {rules.length > 0 && <Tally what="Rules" counts={countsOf(rules)} />}
        {report.gaps.length > 0 && (
          <div>
            <dt>Gaps</dt>
            <dd>
              <span>
                <b>{known}</b> of {report.gaps.length} answers known
              </span>
            </dd>
          </div>
        )}
        {causes.length > 0 && (
          <div>
            <dt>Broke</dt>
            <dd>
              <a href="#causes">{count(causes.length, 'probable cause')}</a>
            </dd>
          </div>
        )}
      </dl>
      <Facts data={data} />
      {report.checks.length > 0 && !scenarios && (
        <Copyable text={checkCommand(report)} what="the command of this run" />
      )}
    </header>
  );
}

const countsOf = (some: readonly Pick<CheckReport, 'verdict'>[]) =>
  Object.fromEntries(
    verdictOrder.map((verdict) => [verdict, some.filter((one) => one.verdict === verdict).length]),
  ) as Record<Verdict, number>;

const playing = (participants: RunReport['target']['participants'], role: string): string =>
  Object.entries(participants)
    .filter(([, party]) => party.role === role)
    .map(([name]) => name)
    .join(', ');

interface TallyProps {
  readonly what: string;
  readonly counts: Readonly<Record<Verdict, number>>;
}

const Tally = ({ what, counts }: TallyProps) => (
  <div>
    <dt>{what}</dt>
    <dd>
      {verdictOrder
        .filter((verdict) => counts[verdict] > 0)
        .map((verdict) => (
          <span key={verdict} class={verdict}>
            <b>{counts[verdict]}</b> {verdictLabels[verdict]}
          </span>
        ))}
    </dd>
  </div>
);

function Facts({ data }: { readonly data: ReportData }) {
  const { run, target, suite } = data.report;
  const roles = [...new Set(Object.values(target.participants).map(({ role }) => role))];
  const fact = (name: string, value: ComponentChildren) => (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <dl class="facts">
      {fact('started', run.started_at)}
      {fact(
        'took',
        `${(run.wall_ms / 1_000).toFixed(1)} s for ${durationText(run.target_ms)} of target time`,
      )}
      {fact('clock', target.clock.kind)}
      {fact('seed', <code>{run.seed}</code>)}
      {fact(
        'suite',
        <>
          {suite.version} <code>{suite.digest.slice(0, 12)}</code>
        </>,
      )}
      {roles.map((role) => (
        <div key={role}>
          <dt>{role}</dt>
          <dd>{playing(target.participants, role)}</dd>
        </div>
      ))}
    </dl>
  );
}

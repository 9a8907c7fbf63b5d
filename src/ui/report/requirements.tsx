import { useMemo } from 'preact/hooks';
import { correlationText } from '../../history/correlation.ts';
import {
  count,
  partHeading,
  partName,
  valuesOf,
  verdictLabels,
  verdictOrder,
} from '../../report/labels.ts';
import type { Failure, RequirementReport } from '../../results/run-report.ts';
import { rootOf } from '../../spec/vocabulary.ts';
import type { Verdict } from '../../results/verdicts.ts';
import { Choice, TextField } from '../shared/fields.tsx';
import { Prose } from '../shared/prose.tsx';
import { VerdictMark } from '../shared/verdict-mark.tsx';
import type { ReportData } from './data.ts';
import { filtered, type Filter, noFilter, type PartiesBy } from './filter.ts';
import { Folding } from './folding.tsx';
import { Codes, Definitions } from './markup.tsx';
import { RunStrip } from './runs.tsx';
import type { Focus } from './timeline/timeline.tsx';

interface RequirementsProps {
  readonly data: ReportData;
  readonly filter: Filter;
  readonly partiesBy: PartiesBy;
  readonly onFilter: (filter: Filter) => void;
  readonly onFocus: (focus: Focus) => void;
}

/** All requirements of the catalogue, with search and filters. */
export function Requirements({ data, filter, partiesBy, onFilter, onFocus }: RequirementsProps) {
  const shown = useMemo(() => filtered(data.report, filter, partiesBy), [data, filter, partiesBy]);
  const groups = new Map<string, RequirementReport[]>();
  for (const one of shown) {
    const part = rootOf(one.part);
    groups.set(part, [...(groups.get(part) ?? []), one]);
  }
  return (
    <>
      <Filters data={data} filter={filter} partiesBy={partiesBy} onFilter={onFilter} />
      <p class="small soft" role="status">
        {shown.length} of {count(data.report.requirements.length, 'requirement')} shown
      </p>
      {data.parts
        .flatMap(({ part }) => {
          const some = groups.get(part);
          return some ? [{ part, some }] : [];
        })
        .map(({ part, some }) => (
          <section key={part} class="part" aria-label={partHeading(part)}>
            <h3>
              {partHeading(part)} <span class="soft small">{some.length}</span>
            </h3>
            {some.map((one) => (
              <Requirement key={one.id} one={one} data={data} onFocus={onFocus} />
            ))}
          </section>
        ))}
    </>
  );
}

type FiltersProps = Pick<RequirementsProps, 'data' | 'filter' | 'partiesBy' | 'onFilter'>;

function Filters({ data: { report, parts }, filter, partiesBy, onFilter }: FiltersProps) {
  const change = (part: Partial<Filter>): void => onFilter({ ...filter, ...part });
  const parties = useMemo(
    () =>
      [
        ...new Set([
          ...Object.keys(report.target.participants),
          ...[...partiesBy.values()].flatMap((some) => [...some]),
        ]),
      ].toSorted(),
    [report, partiesBy],
  );
  const { requirements: totals } = report.totals;
  const verdicts = verdictOrder.filter((verdict) => totals[verdict] > 0);
  const any = ['', 'any'] as const;
  return (
    <search class="row tools small soft screen">
      <TextField
        label="Search"
        kind="search"
        input={{ id: 'search', placeholder: 'id, words, reason' }}
        value={filter.words}
        onChange={(words) => change({ words })}
      />
      <Choice
        label="Verdict"
        value={filter.verdict}
        onChange={(verdict) => change({ verdict: verdict as Verdict | '' })}
        options={[
          any,
          ...verdicts.map((one) => [one, `${verdictLabels[one]} (${totals[one]})`] as const),
        ]}
      />
      <Choice
        label="Part"
        value={filter.part}
        onChange={(part) => change({ part })}
        options={[any, ...parts.map(({ part }) => [part, partHeading(part)] as const)]}
      />
      {parties.length > 0 && (
        <Choice
          label="Party"
          value={filter.party}
          onChange={(party) => change({ party })}
          options={[any, ...parties]}
        />
      )}
      <button type="button" onClick={() => onFilter(noFilter)}>
        Show all
      </button>
    </search>
  );
}

interface RequirementProps {
  readonly one: RequirementReport;
  readonly data: ReportData;
  readonly onFocus: (focus: Focus) => void;
}

function Requirement({ one, data, onFocus }: RequirementProps) {
  const { id, verdict, waived, summary, part } = one;
  return (
    <Folding
      name="requirement"
      head={
        <>
          <VerdictMark verdict={verdict} waived={waived} />
          <code class="id">{id}</code>
          <span class="summary">
            <Prose text={summary} />
          </span>
          <span class="soft small">{part}</span>
        </>
      }
    >
      {() => <Judged one={one} data={data} onFocus={onFocus} />}
    </Folding>
  );
}

/** Maximum number of findings of one requirement that are shown at once. */
const mostFindings = 6;

function Judged({ one, data, onFocus }: RequirementProps) {
  const { report, runs } = data;
  const findings = [...report.checks, ...report.rules].flatMap((source) =>
    source.failures
      .filter(({ requirement }) => requirement === one.id)
      .map((failure) => ({ source, failure })),
  );
  const causes = report.causes.flatMap(({ requirements }, place) =>
    requirements.includes(one.id) ? [place] : [],
  );
  const judges = one.judged_by.slice(0, 12);
  return (
    <>
      <p class="small soft">
        {partName(one.part)}, {one.level === 'must' ? 'must hold' : 'stated vaguely'}, exercised{' '}
        {count(one.exercised, 'time')}
        {one.known && ', known from the baseline'}
      </p>
      {one.waived !== undefined && <p>Waived: {one.waived}</p>}
      {one.reason !== undefined && findings.length === 0 && <p>{one.reason}</p>}
      {causes.map((place) => (
        <p key={place}>
          <a href={`#cause-${place + 1}`}>
            Cause {place + 1}: {report.causes[place]?.title}
          </a>
        </p>
      ))}
      {findings.slice(0, mostFindings).map(({ source, failure }, place) => (
        <Finding key={place} source={source.id} failure={failure} onFocus={onFocus} />
      ))}
      {findings.length > mostFindings && (
        <p class="soft">
          {count(findings.length - mostFindings, 'more finding')} in <code>report.json</code>
        </p>
      )}
      {runs.length > 0 && <RunStrip runs={runs} id={one.id} />}
      <p class="small soft">
        judged by <Codes ids={judges} />
        {one.judged_by.length > judges.length &&
          ` and ${one.judged_by.length - judges.length} more`}
      </p>
    </>
  );
}

interface FindingProps {
  readonly source: string;
  readonly failure: Failure;
  readonly onFocus: (focus: Focus) => void;
}

/** One exercise that did not pass. */
export const Finding = ({ source, failure, onFocus }: FindingProps) => (
  <div class={`finding ${failure.outcome}-edge`}>
    <p>
      <VerdictMark verdict={failure.outcome} /> {failure.message}{' '}
      <code class="soft small">{source}</code>
    </p>
    <Definitions
      name="values small"
      rows={valuesOf(failure).map(([name, value]) => [
        name,
        <code class={name === 'actual' ? 'fail' : ''}>{value}</code>,
      ])}
    />
    {failure.exchanges.slice(0, 6).map((id) => (
      <button
        key={id}
        type="button"
        class="plain small mono"
        onClick={() => onFocus({ entry: id, order: failure.orders?.[0]?.toLowerCase() ?? '' })}
      >
        {id}
        <span class="unseen"> on the timeline</span>
      </button>
    ))}
    {failure.correlation?.map((one) => (
      <p key={one.exchange} class="small soft mono">
        {correlationText(one)}
      </p>
    ))}
  </div>
);

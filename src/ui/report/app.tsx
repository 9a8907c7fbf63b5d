import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { causeGroups, type CauseGroup } from '../../report/causes.ts';
import { Cause, CauseLead } from './cause.tsx';
import type { ReportData } from './data.ts';
import { type Filter, noFilter, type PartiesBy } from './filter.ts';
import { Folding } from './folding.tsx';
import { Gaps } from './gaps.tsx';
import { BesideCauses, Changes, Coverage, Judges, Waivers } from './lists.tsx';
import { Bullets } from './markup.tsx';
import { Parts } from './parts.tsx';
import { Requirements } from './requirements.tsx';
import { Runs } from './runs.tsx';
import { Scenarios } from './scenarios.tsx';
import { type LoadedHistory, loadHistory } from './timeline/load.ts';
import { type Focus, Timeline } from './timeline/timeline.tsx';
import { RunFacts, VerdictHeader } from './verdict-header.tsx';
import { VerdictMark } from '../shared/verdict-mark.tsx';

interface Section {
  readonly id: string;
  readonly title: string;
  readonly count: number | undefined;
  readonly body: ComponentChildren;
}

/** The report page: the verdict, the causes of failures, the timeline, and reference lists. */
export function App({ data }: { readonly data: ReportData }) {
  const { report } = data;
  const [history, setHistory] = useState<LoadedHistory | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [focus, setFocus] = useState<Focus | undefined>(() => firstFocus(data));
  const [filter, setFilter] = useState<Filter>(noFilter);
  useEffect(() => {
    // The verdict is on the screen before the exchanges are read.
    requestAnimationFrame(() => {
      loadHistory(report).then(setHistory, (error: unknown) => setProblem(String(error)));
    });
  }, [report]);
  useSlashKey();
  const partiesBy = useMemo(() => partiesOf(history), [history]);
  const show = (wanted: Focus): void => {
    setFocus(wanted);
    document.getElementById('timeline')?.scrollIntoView();
    document.querySelector<HTMLElement>('#timeline .entries')?.focus({ preventScroll: true });
  };
  const { preflight = [], notes = [], scenarios, gaps, requirements, waivers } = report;
  const [broke, warned] = (['fail', 'warn'] as const).map((wanted) =>
    causeGroups(report).find(({ outcome }) => outcome === wanted),
  );
  const all: readonly (Section | false)[] = [
    preflight.length > 0 &&
      section('preflight', 'What kept the run from judging', <Bullets lines={preflight} />),
    notes.length > 0 && section('notes', 'Notes', <Bullets lines={notes} />),
    broke !== undefined && section('causes', 'What broke', causeList(broke), broke.causes.length),
    requirements.length > 0 &&
      section(
        'extent',
        'How much was judged',
        <div class="extent">
          <Parts
            data={data}
            onChoose={(part, verdict) => setFilter({ ...noFilter, part, verdict: verdict ?? '' })}
          />
          <Coverage data={data} />
        </div>,
      ),
    warned !== undefined &&
      section('warnings', 'Warnings', causeList(warned), warned.causes.length),
    data.broken.length + data.unattributed.length > 0 &&
      section('beside', 'What broke beside that', <BesideCauses data={data} onFocus={show} />),
    scenarios !== undefined &&
      section(
        'scenarios',
        'Scenarios',
        <Scenarios data={data} history={history} onFocus={show} />,
        scenarios.length,
      ),
    data.history.records > 0 && section('timeline', 'What happened', timeline()),
    report.baseline !== undefined &&
      section('baseline', 'Since the baseline', <Changes data={data} />),
    waivers !== undefined && section('waivers', 'Waivers', <Waivers data={data} />),
    data.runs.length > 0 && section('runs', 'Runs beside each other', <Runs data={data} />),
    requirements.length > 0 &&
      section(
        'requirements',
        'Requirements',
        <Requirements {...{ data, filter, partiesBy }} onFilter={setFilter} onFocus={show} />,
        requirements.length,
      ),
    gaps.length > 0 && section('gaps', 'Gaps of the document', <Gaps data={data} />, gaps.length),
    report.checks.length + report.rules.length > 0 &&
      section('judges', 'Checks and rules', <Judges data={data} />),
    section('run', 'This run', <RunFacts report={report} />),
  ];
  const sections = all.filter((one) => one !== false);

  return (
    <>
      <a class="skip" href="#main">
        Skip to what was found
      </a>
      <div class="page">
        <Contents sections={sections} />
        <div class="body">
          <VerdictHeader data={data} />
          <main id="main" tabIndex={-1}>
            {sections.map(({ id, title, body }) => (
              <section key={id} id={id} class="stack section" aria-labelledby={`${id}-title`}>
                <h2 id={`${id}-title`}>{title}</h2>
                {body}
              </section>
            ))}
          </main>
          <footer class="soft small">
            Counts are over the fixed catalogue of the suite. The exchanges stand in{' '}
            <code>history.jsonl</code>, the results in <code>report.json</code>, beside this file.
          </footer>
        </div>
      </div>
    </>
  );

  function causeList({ outcome, title, causes }: CauseGroup): ComponentChildren {
    return (
      <>
        {outcome === 'fail' && <p class="soft">{title}</p>}
        {causes.map((shown, place) => (
          <Folding
            key={shown.cause.id}
            id={`cause-${shown.number}`}
            name={`card ${shown.cause.outcome}-edge`}
            startsOpen={place === 0 && outcome === 'fail'}
            print={place < 20 ? 'open' : 'as it is'}
            head={
              <>
                <VerdictMark verdict={shown.cause.outcome} waived={shown.cause.waived} />
                <CauseLead report={report} shown={shown} />
              </>
            }
          >
            {() => <Cause data={data} shown={shown} history={history} onFocus={show} />}
          </Folding>
        ))}
      </>
    );
  }

  function timeline(): ComponentChildren {
    if (problem !== undefined)
      return <p class="fail">The exchanges could not be read: {problem}</p>;
    if (!history) return <p class="soft">The exchanges are being read …</p>;
    return <Timeline data={data} history={history} focus={focus} />;
  }
}

const section = (id: string, title: string, body: ComponentChildren, count?: number): Section => ({
  id,
  title,
  body,
  count,
});

/** Initial focus of the timeline: the first failure; if there is none, all entries. */
function firstFocus({ report }: ReportData): Focus | undefined {
  const [first] = report.causes;
  const at = first?.failures[0];
  const source = [...report.checks, ...report.rules].find(({ id }) => id === at?.source);
  const failure = source?.failures[at?.index ?? -1];
  const entry = failure?.exchanges.at(-1);
  const order = failure?.orders?.[0]?.toLowerCase();
  if (entry === undefined) {
    const [failed] = (report.scenarios ?? []).filter(({ verdict }) => verdict === 'fail');
    return failed && { by: failed.id };
  }
  return { entry, ...(order !== undefined && { order }) };
}

function partiesOf(history: LoadedHistory | undefined): PartiesBy {
  const found = new Map<string, Set<string>>();
  for (const { by, party } of history?.entries ?? []) {
    if (party !== undefined) found.set(by, (found.get(by) ?? new Set()).add(party));
  }
  return found;
}

/** The key `/` moves to the search of requirements, as on many sites. */
function useSlashKey(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyping) return;
      event.preventDefault();
      document.getElementById('search')?.focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Table of contents, with a mark on the section that is being read. */
function Contents({ sections }: { readonly sections: readonly Section[] }) {
  const [current, setCurrent] = useState(sections[0]?.id);
  const ids = sections.map(({ id }) => id).join(' ');
  const seen = useRef(new Set<string>());
  useEffect(() => {
    const watch = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) seen.current.add(target.id);
          else seen.current.delete(target.id);
        }
        setCurrent(ids.split(' ').find((id) => seen.current.has(id)));
      },
      { rootMargin: '-10% 0px -60% 0px' },
    );
    for (const id of ids.split(' ')) {
      const element = document.getElementById(id);
      if (element) watch.observe(element);
    }
    return () => watch.disconnect();
  }, [ids]);
  const nav = useRef<HTMLElement>(null);
  // On a narrow page the names are side by side: keep the current one in sight.
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (link) nav.current?.scrollTo({ left: link.offsetLeft - 16 });
  }, [current]);
  return (
    <nav ref={nav} class="contents screen" aria-label="On this page">
      {sections.map(({ id, title, count }) => (
        <a key={id} href={`#${id}`} aria-current={id === current ? 'true' : undefined}>
          {title}
          {count !== undefined && <span class="soft small"> {count}</span>}
        </a>
      ))}
    </nav>
  );
}

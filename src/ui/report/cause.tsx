import { useMemo } from 'preact/hooks';
import { correlationText } from '../../history/correlation.ts';
import type { Exchange, Frame } from '../../history/records.ts';
import { replayOf } from '../../report/evidence.ts';
import { occurrenceTexts, type ShownCause, type SourcedFailure } from '../../report/causes.ts';
import { printable } from '../../report/formats/escape.ts';
import { brief, count, partName, valuesOf } from '../../report/labels.ts';
import { ordersOfSteps } from '../../report/sequence/of-cause.ts';
import { markOfExchange, markOfFrame } from '../../report/sequence/mark.ts';
import type { Sought } from '../../report/marked-json.ts';
import { sequenceOf } from '../../report/sequence/sequence.ts';
import { type TypedValue, typedDiff } from '../../report/typed-diff.ts';
import type { CauseReport, Failure, RunReport } from '../../results/run-report.ts';
import { Copyable } from '../shared/copyable.tsx';
import { JsonView } from '../shared/json-view.tsx';
import { Prose } from '../shared/prose.tsx';
import { VerdictMark } from '../shared/verdict-mark.tsx';
import type { ReportData } from './data.ts';
import { SequenceTable } from './sequence-table.tsx';
import type { LoadedHistory } from './timeline/load.ts';
import type { Focus } from './timeline/timeline.tsx';

interface LeadProps {
  readonly report: RunReport;
  readonly shown: ShownCause;
}

/** A cause in a few lines: its place and deviation, the requirement, the values, and how often it was seen. */
export function CauseLead({ report, shown }: LeadProps) {
  const { cause, number, clause, shownBy } = shown;
  const values = (shownBy ? valuesOf(shownBy.failure, 80) : []).map((one) => one.join(' '));
  const told = [...values, ...occurrenceTexts(report, shown)];
  return (
    <div class="lead">
      <h3>
        {number}. {cause.title}
      </h3>
      {clause && (
        <p>
          <Prose text={clause.summary} /> <span class="soft small">{partName(clause.part)}</span>
        </p>
      )}
      {told.length > 0 && <p class="small">{printable(told.join(' · '))}</p>}
    </div>
  );
}

interface CauseProps {
  readonly data: ReportData;
  readonly shown: ShownCause;
  /** Undefined while the history is being read. */
  readonly history: LoadedHistory | undefined;
  readonly onFocus: (focus: Focus) => void;
}

/** The details of a cause: the expected and actual values, the whole answer, the sequence, and the reproduction. */
export function Cause({ data, shown, history, onFocus }: CauseProps) {
  const { report } = data;
  const { cause, clause, shownBy } = shown;
  return (
    <div class="stack cause">
      {cause.waived !== undefined && <p>Waived: {cause.waived}</p>}
      {clause && (
        <p class="soft small">
          <code>{clause.id}</code>; <code>assay spec {clause.id}</code> tells more
        </p>
      )}
      {shownBy && <Evidence {...{ data, cause, shownBy, history, onFocus }} />}
      <h4>What it breaks</h4>
      <ul class="bare plain-list small">
        {cause.requirements.map((id) => {
          const known = report.requirements.find((one) => one.id === id);
          return (
            <li key={id}>
              {known && <VerdictMark verdict={known.verdict} waived={known.waived} />}{' '}
              <code>{id}</code>{' '}
              {known && (
                <span class="soft">
                  <Prose text={known.summary} /> ({partName(known.part)})
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p class="soft small">
        cause <code>{cause.id}</code>, {count(cause.failures.length, 'finding')}
      </p>
    </div>
  );
}

interface EvidenceProps extends Omit<CauseProps, 'shown'> {
  readonly cause: CauseReport;
  readonly shownBy: SourcedFailure;
}

function Evidence({ data, cause, shownBy, history, onFocus }: EvidenceProps) {
  const { report } = data;
  const { source, failure } = shownBy;
  const steps = useMemo(() => history?.stepsOf(failure.exchanges) ?? [], [history, failure]);
  const decisive = decisiveOf(steps, failure, cause.place);
  const path =
    failure.places?.find(
      (one) => one.endpoint === cause.place.endpoint && one.event === cause.place.event,
    )?.field ?? cause.place.field;
  const sought = useMemo(
    () => ({ path, actual: failure.actual, orders: ordersOfSteps(steps) }),
    [path, failure, steps],
  );
  const sequence = useMemo(() => sequenceOfSteps(steps, failure), [steps, failure]);
  const replay = replayOf(steps, source.id, failure, report);
  const orders = [...ordersOfSteps(steps)];
  const show = (id: string): void =>
    onFocus({ ...(orders[0] !== undefined && { order: orders[0] }), entry: id });
  return (
    <>
      <p>
        {failure.message}{' '}
        <span class="soft small">
          found by <code>{source.id}</code>
        </span>
      </p>
      {path !== undefined && (
        <p class="small">
          <span class="soft">JSON path</span> <code>{path}</code>
        </p>
      )}
      <Difference failure={failure} />
      {failure.correlation?.map((one) => (
        <p key={one.exchange} class="small soft mono">
          {correlationText(one)}
        </p>
      ))}
      {replay !== undefined && (
        <>
          <h4>See it again</h4>
          <Copyable text={`assay replay ${replay}`} what="the replay command" />
        </>
      )}
      {!history && data.history.records > 0 && <p class="soft">The exchanges are being read …</p>}
      {decisive && (
        <>
          <h4>{headOf(decisive)}</h4>
          {answerOf(decisive, sought)}
        </>
      )}
      {steps.length > 0 && (
        <>
          <h4>
            What happened{' '}
            <button
              type="button"
              class="screen"
              onClick={() => show((decisive ?? steps[0])?.id ?? '')}
            >
              Follow it on the timeline
            </button>
          </h4>
          <SequenceTable sequence={sequence} label={`Sequence of ${cause.id}`} onShow={show} />
        </>
      )}
    </>
  );
}

/** The record among the evidence of a failure that is at the place of its cause; else the last one. */
function decisiveOf(
  steps: readonly (Exchange | Frame)[],
  { exchanges }: Failure,
  { endpoint, event }: CauseReport['place'],
): Exchange | Frame | undefined {
  const own = steps.filter(({ id }) => exchanges.includes(id));
  const isThere = (one: Exchange | Frame): boolean =>
    one.kind === 'frame' ? one.event === event : one.endpoint === endpoint;
  return own.findLast(isThere) ?? own.at(-1);
}

/** Sequence with all steps: there are few, and each is needed. */
function sequenceOfSteps(steps: readonly (Exchange | Frame)[], { exchanges }: Failure) {
  const evidence = new Set(exchanges);
  const [first] = steps;
  const startMs = first ? (first.kind === 'exchange' ? first.sent : first.received) : 0;
  const marks = steps.map((one) =>
    one.kind === 'exchange'
      ? markOfExchange(one, startMs, evidence)
      : markOfFrame(one, startMs, evidence),
  );
  return sequenceOf(marks, 0, 'every');
}

const headOf = (record: Exchange | Frame): string =>
  record.kind === 'frame'
    ? `The event ${printable(record.event)}, whole`
    : `The answer to ${printable(`${record.request.method} ${record.request.path}`)}: ${record.response?.status ?? record.error?.code ?? 'none'}`;

function answerOf(record: Exchange | Frame, sought: Sought) {
  const isFrame = record.kind === 'frame';
  const body = isFrame ? { data: record.data ?? record.text ?? null } : record.response?.body;
  if (body !== undefined) return <JsonView value={body} sought={sought} />;
  const text = isFrame ? '' : (record.response?.text ?? record.error?.message ?? 'no body');
  return <pre class="json">{printable(text)}</pre>;
}

/** Expected and actual values, each with its type. */
function Difference({ failure }: { readonly failure: Failure }) {
  const rows = typedDiff(failure);
  if (rows.length === 0) return null;
  return (
    <div class="difference">
      {rows.map(({ member, expected, actual }) => (
        <dl key={member}>
          {member !== '' && <dt class="member mono">{printable(member)}</dt>}
          {Object.entries({ expected, actual }).map(([name, one]) => (
            <div key={name} class={name}>
              <dt>{name}</dt>
              <dd>
                <Value one={one} />
              </dd>
            </div>
          ))}
        </dl>
      ))}
    </div>
  );
}

const Value = ({ one }: { readonly one: TypedValue | undefined }) =>
  one === undefined ? (
    <span class="soft">nothing</span>
  ) : (
    <>
      <code>{printable(brief(one.text, 2_000))}</code>{' '}
      {one.type !== undefined && <span class="soft small">{one.type}</span>}
    </>
  );

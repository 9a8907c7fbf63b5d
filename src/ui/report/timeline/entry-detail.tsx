import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { isObject } from '../../../history/json.ts';
import { correlationIn, correlationText } from '../../../history/correlation.ts';
import type { Exchange, Frame, HistoryRecord } from '../../../history/records.ts';
import { curlOf } from '../../../report/evidence.ts';
import { printable } from '../../../report/formats/escape.ts';
import { count } from '../../../report/labels.ts';
import { durationText } from '../../../report/sequence/sequence.ts';
import type { RunReport } from '../../../results/run-report.ts';
import { Copyable } from '../../shared/copyable.tsx';
import { JsonView } from '../../shared/json-view.tsx';
import type { Entry } from './entries.ts';

interface EntryDetailProps {
  readonly entry: Entry;
  /** Undefined if the entry belongs to a scenario, and so is not in the history. */
  readonly record: HistoryRecord | undefined;
  readonly report: RunReport;
  readonly startMs: number;
  readonly onFollow: (order: string) => void;
}

/** One exchange or event in full. */
export function EntryDetail({ entry, record, report, startMs, onFollow }: EntryDetailProps) {
  const { says, answer, by, party, id, orders } = entry;
  return (
    <>
      <h3 class="mono">{printable(`${says}${answer === undefined ? '' : ` → ${answer}`}`)}</h3>
      <dl class="facts">
        <Fact name="at">
          +{durationText(entry.atMs - startMs)}
          {record?.kind === 'exchange' && record.received > record.sent && (
            <> to +{durationText(record.received - startMs)}</>
          )}
        </Fact>
        {party !== undefined && <Fact name="party">{party}</Fact>}
        <Fact name="driven by">
          <code>{by}</code>
        </Fact>
        {id !== '' && (
          <Fact name="id">
            <code>{id}</code>
          </Fact>
        )}
      </dl>
      {orders.map((order) => (
        <p key={order}>
          <button type="button" onClick={() => onFollow(order)}>
            Follow order <code>{printable(order.slice(0, 13))}</code>
          </button>
        </p>
      ))}
      {record?.kind === 'exchange' && <ExchangeBody exchange={record} report={report} />}
      {record?.kind === 'frame' && <FrameBody frame={record} />}
      {record?.kind === 'end' && record.message !== undefined && <p>{printable(record.message)}</p>}
    </>
  );
}

const Fact = ({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ComponentChildren;
}) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function ExchangeBody({
  exchange,
  report,
}: {
  readonly exchange: Exchange;
  readonly report: RunReport;
}) {
  const { request, response, error, party, claims } = exchange;
  const carried = correlationIn(exchange);
  const curl = useMemo(
    () => curlOf(exchange, report.target.participants[party]?.base_url ?? '$BASE_URL'),
    [exchange, report, party],
  );
  return (
    <>
      {request.body !== undefined && <Body title="Sent" value={request.body} />}
      {response?.body !== undefined && (
        <Body title={`Answered ${response.status}`} value={response.body} />
      )}
      {response?.text !== undefined && (
        <Body title={`Answered ${response.status}`} value={response.text} />
      )}
      <CutNote response={response} />
      {claims !== undefined && <Body title="Claims of the token" value={claims} />}
      {error && (
        <p class="fail">
          No answer: {error.code}, {printable(error.message)}
        </p>
      )}
      {response?.oddities?.map((one) => (
        <p class="warn" key={one}>
          {printable(one)}
        </p>
      ))}
      {carried && <p class="small soft mono">{printable(correlationText(carried))}</p>}
      <details>
        <summary>Headers</summary>
        <Headers title="of the request" headers={request.headers} />
        {response && <Headers title="of the answer" headers={response.headers} />}
      </details>
      <h4>The same request by hand</h4>
      <Copyable text={curl} what="the curl command" />
    </>
  );
}

/** Note on a long body that is no evidence and was left out of the page: see src/report/html/history-block.ts. */
function CutNote({ response }: { readonly response: unknown }) {
  const cut = isObject(response) ? response['cut'] : undefined;
  if (!isObject(cut) || typeof cut['length'] !== 'number') return null;
  const items = typeof cut['items'] === 'number' ? `${count(cut['items'], 'item')}, ` : '';
  return (
    <p class="soft">
      The answer ({items}
      {cut['length']} characters) is not in this page: it stands in <code>history.jsonl</code>.
    </p>
  );
}

const FrameBody = ({ frame }: { readonly frame: Frame }) => (
  <>
    <Body title={`Event ${frame.event}`} value={frame.data ?? frame.text ?? null} />
    <p class="soft small">
      on stream <code>{frame.stream}</code>
      {frame.eventId !== undefined && (
        <>
          , event id <code>{printable(frame.eventId)}</code>
        </>
      )}
    </p>
  </>
);

const Body = ({ title, value }: { readonly title: string; readonly value: unknown }) => (
  <>
    <h4>{printable(title)}</h4>
    {typeof value === 'string' ? (
      <pre class="json">{printable(value)}</pre>
    ) : (
      <JsonView value={value} />
    )}
  </>
);

function Headers({
  title,
  headers,
}: {
  readonly title: string;
  readonly headers: Exchange['request']['headers'];
}) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <h4>{title}</h4>
      <pre class="json">{printable(lines.join('\n')) || 'none'}</pre>
    </>
  );
}

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
import { Definitions } from '../markup.tsx';
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
  const until =
    record?.kind === 'exchange' && record.received > record.sent
      ? ` to +${durationText(record.received - startMs)}`
      : '';
  return (
    <>
      <h3 class="mono">{printable(`${says}${answer === undefined ? '' : ` → ${answer}`}`)}</h3>
      <Definitions
        name="row facts small"
        rows={[
          ['at', `+${durationText(entry.atMs - startMs)}${until}`],
          ['party', party],
          ['driven by', <code>{by}</code>],
          ['id', id === '' ? undefined : <code>{id}</code>],
        ]}
      />
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

interface ExchangeBodyProps {
  readonly exchange: Exchange;
  readonly report: RunReport;
}

function ExchangeBody({ exchange, report }: ExchangeBodyProps) {
  const { request, response, error, party, claims } = exchange;
  const body = response?.body === undefined ? response?.text : response.body;
  const carried = correlationIn(exchange);
  const curl = useMemo(
    () => curlOf(exchange, report.target.participants[party]?.base_url ?? '$BASE_URL'),
    [exchange, report, party],
  );
  return (
    <>
      <Body title="Sent" value={request.body} />
      <Body title={`Answered ${response?.status}`} value={body} />
      <CutNote response={response} />
      <Body title="Claims of the token" value={claims} />
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
        <Body title="of the request" value={headerLines(request.headers)} />
        <Body title="of the answer" value={response && headerLines(response.headers)} />
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

/** A JSON value or a text with its title; nothing if it is absent. */
const Body = ({ title, value }: { readonly title: string; readonly value: unknown }) =>
  value === undefined ? null : (
    <>
      <h4>{printable(title)}</h4>
      {typeof value === 'string' ? (
        <pre class="json">{printable(value)}</pre>
      ) : (
        <JsonView value={value} />
      )}
    </>
  );

const headerLines = (headers: Exchange['request']['headers']): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n') || 'none';

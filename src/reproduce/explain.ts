import { correlationIn, correlationText } from '../history/correlation.ts';
import type { Exchange, Frame, HistoryRecord } from '../history/records.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import type { CheckReport, Failure } from '../results/run-report.ts';

const indent = '            ';

const indented = (text: string): string =>
  text
    .split('\n')
    .map((line) => `${indent}${line}`)
    .join('\n');

const pretty = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

const secondsOf = (ms: number): string => `+${(ms / 1_000).toFixed(3)} s`.padStart(10);

function exchangeText(exchange: Exchange, at: string): string {
  const { request, response, error, auth, party, id } = exchange;
  const carried = correlationIn(exchange);
  const token = auth === 'own' ? '' : auth === 'none' ? ', no token' : `, token: ${auth}`;
  const { body = response?.text, status } = response ?? {};
  const answer = response ? String(status) : `no answer: ${error?.message ?? 'nothing came'}`;
  return [
    `${at}  ${party}: ${request.method} ${request.path}${token}  (${id})`,
    ...(request.body === undefined ? [] : [indented(pretty(request.body))]),
    `${indent}=> ${answer}`,
    ...(carried ? [`${indent}${correlationText(carried)}`] : []),
    ...(body === undefined || body === '' ? [] : [indented(pretty(body))]),
  ].join('\n');
}

function frameText({ party, event, data, text, id }: Frame, at: string): string {
  const said = data ?? text;
  return [
    `${at}  ${party} <- ${event === '' ? 'a message without a name' : event}  (${id})`,
    ...(said === undefined ? [] : [indented(pretty(said))]),
  ].join('\n');
}

/** Describes the work of one check, record by record, with times since its first request. */
export function teller(
  check: string,
  { maskRecord }: Pick<Secrets, 'maskRecord'>,
): (record: HistoryRecord) => string | undefined {
  let startMs: number | undefined;
  return (record) => {
    if (record.kind === 'exchange' && record.by === check) {
      startMs ??= record.sent;
      return exchangeText(maskRecord(record) as Exchange, secondsOf(record.sent - startMs));
    }
    if (record.kind !== 'frame' || startMs === undefined || record.event === 'heartbeat') return;
    return frameText(maskRecord(record) as Frame, secondsOf(record.received - startMs));
  };
}

/** Judgements on the records in `told`, by the check itself and by the rules. */
export function judgedText(sources: readonly CheckReport[], told: ReadonlySet<string>): string {
  const concerned = sources.flatMap(({ id, failures }) =>
    failures
      .filter(({ exchanges }) => exchanges.some((one) => told.has(one)))
      .map((failure) => judgementText(id, failure)),
  );
  return [
    'what was judged of it:',
    ...(concerned.length > 0 ? concerned : ['  nothing against it']),
  ].join('\n');
}

function judgementText(source: string, failure: Failure): string {
  const { outcome, requirement = '', message, expected, actual, exchanges } = failure;
  const { correlation = [] } = failure;
  return [
    `  ${outcome} ${requirement}: ${message} (${source})`,
    ...(expected === undefined ? [] : [`    expected: ${inLine(expected)}`]),
    ...(actual === undefined ? [] : [`    actual:   ${inLine(actual)}`]),
    `    shown by: ${exchanges.join(', ')}`,
    ...correlation.map((one) => `    ${correlationText(one)}`),
  ].join('\n');
}

const inLine = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

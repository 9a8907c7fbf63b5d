import { isObject } from '../history/json.ts';
import type { Exporter } from './exporters.ts';

/** Times of a request in milliseconds since the epoch, as far as an entry tells. */
export interface EntryTimes {
  /** The request was not sent before this. */
  readonly sent: number;
  /** The request was sent by then. The recorded span of its party begins or goes on at this moment. */
  readonly sentBy?: number;
  /** The answer was complete by then. Absent: unknown. */
  readonly ended?: number;
  /** The head of the answer had come by then. Absent: unknown. */
  readonly answered?: number;
}

type Json = Readonly<Record<string, unknown>>;

const moment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** End of the years that ISO 8601 writes with four digits. */
const latest = Date.UTC(9_999, 0);

/** Reads a moment as exporters write it: with any number of decimals, with any offset or none, or as a number. */
export function momentOf(value: unknown): number | undefined {
  if (typeof value === 'number') {
    const ms = value < 1e11 ? value * 1_000 : value;
    return ms > 0 && ms < latest ? ms : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const parts = moment.exec(value.trim());
  if (!parts) return undefined;
  const [, date, time, fraction = '0', offset = 'Z'] = parts;
  const whole = Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  const digits = fraction.padEnd(3, '0');
  const ms = whole + Number(digits.slice(0, 3)) + Number(`0.${digits.slice(3)}`);
  return ms >= 0 && ms < latest ? ms : undefined;
}

/** True if a file has only times in whole seconds. */
export const tellsSeconds = (entries: readonly unknown[]): boolean =>
  entries.every((entry) => {
    const at = isObject(entry) ? momentOf(entry['startedDateTime']) : undefined;
    return at === undefined || at % 1_000 === 0;
  });

const longest = 30 * 24 * 3_600_000;

/** A duration in milliseconds. Exporters write -1, 0 or nothing if they do not know it. */
const durationIn = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value < longest ? value : undefined;

const untilAnswer = ['blocked', 'dns', 'connect', 'send', 'wait'] as const;

/** Duration until the head of an answer; undefined unless the wait for it was measured. */
function waitIn(timings: Json): number | undefined {
  if (durationIn(timings['wait']) === undefined) return undefined;
  return untilAnswer.reduce((sum, name) => sum + (durationIn(timings[name]) ?? 0), 0);
}

/** Possible error in both directions of a time in whole seconds. */
const coarseMs = 1_000;

export function timesOf(
  entry: Json,
  exporter: Exporter,
  isCoarse: boolean,
  isStream: boolean,
): EntryTimes {
  const started = momentOf(entry['startedDateTime']);
  if (started === undefined) return { sent: 0 };
  // The recorded answer came before the export.
  if (exporter.makesRequestsAnew) return { sent: 0, ended: Math.ceil(started) };
  const slack = isCoarse ? coarseMs : 0;
  const begun = { sent: Math.floor(started) - slack, sentBy: Math.ceil(started) + slack };
  if (exporter.leavesOutQueueing) return begun;
  const timings = isObject(entry['timings']) ? entry['timings'] : undefined;
  const durations = [entry['time'], ...Object.values(timings ?? {})];
  // An exporter that measures no durations may write the moment at which it learned of the answer (Newman does).
  if (durations.every((one) => durationIn(one) === undefined)) return { ...begun, sent: 0 };
  // For a stream that is still open, the time ends with the head of its answer.
  const isOpen = isStream && timings && durationIn(timings['receive']) === undefined;
  const wait = timings && waitIn(timings);
  const time = isOpen ? undefined : durationIn(entry['time']);
  // If the parts are longer than the whole, the whole is wrong.
  const took = time && Math.max(time, (wait ?? 0) + (durationIn(timings?.['receive']) ?? 0));
  const after = (ms: number): number => Math.ceil(started + ms) + 1 + 2 * slack;
  return {
    ...begun,
    ...(took !== undefined && { ended: after(took) }),
    ...(wait !== undefined && { answered: after(Math.min(wait, took ?? wait)) }),
  };
}

import { endpoints } from '../spec/endpoints.ts';
import type { FiledEntry } from './duplicates.ts';
import type { HarFile } from './har-file.ts';
import { hasMessages, isGranted, isWhole, type PlacedEntry } from './placed-entry.ts';

/** Intermediate results of reading files, one for each step. */
export interface Reading {
  readonly files: readonly HarFile[];
  readonly all: readonly FiledEntry[];
  /** Entries without duplicates. */
  readonly different: readonly FiledEntry[];
  /** Entries without preflights and redirects. */
  readonly requests: readonly FiledEntry[];
  readonly placed: readonly PlacedEntry[];
  /** Base URLs whose role is not shown by any answer. */
  readonly unclear: readonly string[];
}

/** `1 entry`, `2 entries`. */
export const plural = (count: number, what: string): string =>
  `${count} ${count === 1 ? what : what.replace(/y$/, 'ie')}${count === 1 ? '' : 's'}`;

/** The sentences that are true. */
export const said = (...lines: readonly (string | false)[]): string[] =>
  lines.filter((line) => line !== false);

/** Maximum number of entries that are named one by one. */
const namedEntries = 5;

function ofFile({ name, exporter, entries, lost, cutAt, isCoarse }: HarFile): string[] {
  const untimed = entries.filter(({ sentBy }) => sentBy === undefined).length;
  const more = lost.length - namedEntries;
  const isMadeAnew = exporter.makesRequestsAnew === true;
  return said(
    ...lost
      .slice(0, namedEntries)
      .map(
        ({ index, path, expected }) =>
          `log.entries[${index}] cannot be read, and was left out: ${path}: expected ${expected}`,
      ),
    more > 0 && `${plural(more, 'more entry')} cannot be read`,
    cutAt !== undefined &&
      `the file ends at byte ${cutAt}, in the middle of its list of entries: ${entries.length} before that are judged; export it again to have the rest`,
    isMadeAnew &&
      'this exporter makes the requests and the times anew: only the answers are judged, without their order',
    !isMadeAnew &&
      untimed > 0 &&
      `${plural(untimed, 'request')} without a time: nothing is said about their order`,
    isCoarse &&
      untimed < entries.length &&
      'times are in whole seconds: what happened within a second is in no order',
    exporter.leavesOutQueueing === true &&
      'this exporter leaves out how long a request waited for a connection: when an answer came is not known',
    exporter.leavesOutFailures === true &&
      'this exporter leaves out requests without an answer: nothing is held against the target that one of them may explain',
  ).map((line) => `${name}: ${line}`);
}

/** Answers that are not the service's own, by their origin. */
const originWords = {
  'not-modified': 'of status 304 refer to a copy in a cache',
  cache: 'came from a cache or a service worker',
  client: "were made up by the client's test",
} as const;

function ofOrigins(placed: readonly PlacedEntry[]): string[] {
  return Object.entries(originWords).flatMap(([origin, words]) => {
    const count = placed.filter(({ entry }) => entry.origin === origin).length;
    return count > 0 ? [`${plural(count, 'answer')} ${words}, and were left out`] : [];
  });
}

function ofStreams(placed: readonly PlacedEntry[]): string[] {
  const streams = placed.filter(
    ({ entry, place }) =>
      entry.isStream ||
      (place.endpoint !== undefined && endpoints[place.endpoint].result === 'stream'),
  );
  const kept = streams.filter(({ entry }) => hasMessages(entry));
  const empty = streams.length - kept.length;
  const areTimed = kept.every(({ entry: { messages } }) =>
    messages?.every(({ at }) => at !== undefined),
  );
  return said(
    streams.length === 0 && 'no event stream is in the recording: nothing is said about events',
    empty > 0 &&
      `${plural(empty, 'event stream')} came without messages in the recording: nothing is said about events there`,
    !areTimed &&
      'a recording of this format does not say when each event came: nothing is said about the times of events',
  );
}

/** Limits about the parties of the recording. */
function ofParties(placed: readonly PlacedEntry[]): string[] {
  const parties = new Set(placed.map(({ place }) => place.baseUrl)).size;
  return said(
    placed.every(({ entry }) => entry.requestHeaders['authorization'] === undefined) &&
      "no request carries a token in the recording: those that were granted are taken to have had their party's own, and nothing is said about refusals",
    ...ofStreams(placed),
    `${parties === 1 ? 'one party is' : `${parties} parties are`} in the recording: what others may explain is held against nobody`,
  );
}

/** Limits of a recording: data that it could not show, one sentence each. */
export function limitsOf({ files, all, different, requests, placed, unclear }: Reading): string[] {
  const again = all.length - different.length;
  const elsewhere = requests.length - placed.length;
  const answered = placed.filter(({ entry }) => entry.origin === 'service' && entry.status > 0);
  const bodiless = answered.filter((one) => isGranted(one.entry) && !isWhole(one)).length;
  return said(
    ...files.flatMap(ofFile),
    again > 0 && `${plural(again, 'entry')} show again what another shows, and count once`,
    elsewhere > 0 &&
      `${plural(elsewhere, 'request')} went to no known party and no endpoint of the interface, and were left out`,
    ...unclear.map(
      (baseUrl) =>
        `the answers of ${baseUrl} do not show its role; name it: --base-url sender=${baseUrl}`,
    ),
    bodiless > 0 &&
      `${plural(bodiless, 'answer')} came without a body in the recording, or with one that was cut or redacted, and were left out: export it with content`,
    ...ofOrigins(placed),
    ...(placed.length > 0 ? ofParties(placed) : []),
  );
}

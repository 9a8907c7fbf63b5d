import type { Span } from '../history/records.ts';
import { type Exporter, exporterNamed } from './exporters.ts';
import type { FileNamed } from './har-body.ts';
import { type HarEntry, type LostEntry, readEntry } from './har-entry.ts';
import type { HarText } from './har-text.ts';
import { tellsSeconds } from './har-times.ts';

/** A HAR file after reading. */
export interface HarFile {
  readonly name: string;
  readonly exporter: Exporter;
  readonly entries: readonly HarEntry[];
  /** Lost entries, with their index in `log.entries`. */
  readonly lost: readonly (LostEntry & { readonly index: number })[];
  readonly cutAt?: number;
  readonly isCoarse: boolean;
  /** Time spans in which the file holds all requests of its one client. */
  readonly whole: readonly Span[];
}

const isLost = (one: HarEntry | LostEntry): one is LostEntry => 'expected' in one;

/** True if the entries are in the order of their times: then a lost entry was sent between its neighbours. */
const isSorted = (entries: readonly HarEntry[]): boolean => {
  const times = entries.map(({ sent, sentBy }) => sentBy ?? sent);
  return times.every((at, index) => index === 0 || at >= (times[index - 1] ?? 0));
};

function wholeSpans(
  all: readonly (HarEntry | LostEntry)[],
  exporter: Exporter,
  isCut: boolean,
): readonly Span[] {
  const read = all.filter((one): one is HarEntry => !isLost(one));
  const hasLost = isCut || all.some((one) => isLost(one) && one.mayAct);
  if (exporter.leavesOutFailures || (hasLost && !isSorted(read))) return [];
  const spans: { sent: number; received: number }[] = [];
  let isOpen = false;
  for (const one of all) {
    if (isLost(one)) isOpen &&= !one.mayAct;
    else if (one.sentBy !== undefined) {
      const last = spans.at(-1);
      // A lost entry was sent before the next entry, and perhaps while an earlier one was under way.
      const until = Math.max(one.sentBy, hasLost ? 0 : (one.ended ?? 0));
      if (isOpen && last) {
        last.sent = Math.min(last.sent, one.sentBy);
        last.received = Math.max(last.received, until);
      } else spans.push({ sent: one.sentBy, received: until });
      isOpen = true;
    }
  }
  return spans;
}

export function readHarFile(name: string, har: HarText, fileNamed: FileNamed): HarFile {
  const exporter = exporterNamed(har.creator);
  const isCoarse = tellsSeconds(har.entries);
  const all = har.entries.map((entry) => readEntry(entry, exporter, isCoarse, fileNamed));
  return {
    name,
    exporter,
    entries: all.filter((one): one is HarEntry => !isLost(one)),
    lost: all.flatMap((one, index) => (isLost(one) ? [{ ...one, index }] : [])),
    ...(har.cutAt !== undefined && { cutAt: har.cutAt }),
    isCoarse,
    whole: wholeSpans(all, exporter, har.cutAt !== undefined),
  };
}

import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { writeHistory } from '../history/jsonl.ts';
import type { Recorder } from '../history/recorder.ts';
import type { HistoryRecord } from '../history/records.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import { makeDirectory } from './files.ts';
import type { Clock } from '../timeline/clock/clock.ts';

const ending = '.partial.jsonl';

/** Whether a file is what a process left behind that ended before it wrote its report: no report beside it is its own. */
export const isPartialHistory = (name: string): boolean => name.endsWith(ending);

/** A history on its way to the disk, whole lines at any moment: after a crash `assay audit` makes a report of it. */
export interface HistoryDraft {
  add(records: readonly HistoryRecord[]): void;
  /** Puts it in the place of the history of an earlier run. */
  keep(): void;
  /** Takes it away. */
  drop(): void;
}

export function historyDraft(directory: string, secrets: Secrets): HistoryDraft {
  makeDirectory(directory);
  const path = join(directory, `history.${process.pid}${ending}`);
  const file = openSync(path, 'w');
  return {
    add: (records) => void writeSync(file, writeHistory(records, secrets)),
    keep() {
      closeSync(file);
      renameSync(path, join(directory, 'history.jsonl'));
    },
    drop: () => rmSync(path, { force: true }),
  };
}

/** What a crash may take with it, in host milliseconds. */
const writeEveryMs = 250;

/** Writes what a run records into a draft while it goes on; the answer ends that, and takes the draft away. */
export function keepHistory(
  { records, watch }: Pick<Recorder, 'records' | 'watch'>,
  draft: HistoryDraft,
  clock: Clock,
): () => void {
  let written = 0;
  let cancel: (() => void) | undefined;
  let isOver = false;
  const write = (): void => {
    cancel = undefined;
    const news = records.slice(written);
    written += news.length;
    try {
      draft.add(news);
    } catch {
      // The disk is full: the run goes on without a draft, and says so where its report cannot be written either.
      isOver = true;
    }
  };
  const soon = (): void => {
    if (!isOver) cancel ??= clock.at(clock.now() + writeEveryMs, write);
  };
  watch(soon);
  if (records.length > 0) soon();
  return () => {
    isOver = true;
    cancel?.();
    draft.drop();
  };
}

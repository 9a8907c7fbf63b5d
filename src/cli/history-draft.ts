import { closeSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOfLines, historyBytes, linesWithout } from '../history/jsonl.ts';
import type { Recorder } from '../history/recorder.ts';
import type { HistoryRecord } from '../history/records.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import { systemClock } from '../timeline/clock/system-clock.ts';
import { makeDirectory, outFailure, ownerOnly, within, writePieces } from './files.ts';
import type { Terminal } from './terminal.ts';

const ending = '.partial.jsonl';
const chunkBytes = 1024 * 1024;

/** True for the unfinished history of a process that ended before its report: a report beside it is of another run. */
export const isPartialHistory = (name: string): boolean => name.endsWith(ending);

/**
 * A history that is written while the run goes on. It contains whole lines at any moment: after a crash `assay audit`
 * makes a report of it. It is readable by its owner only: it may contain a value for a while that a later record shows
 * to be secret.
 */
export function historyDraft(directory: string, secrets: Secrets) {
  makeDirectory(directory);
  const path = join(directory, `history.${process.pid}${ending}`);
  const clean = `${path}.tmp`;
  const rewrite = (to: string, mode: number): void => {
    writePieces(clean, bytesOfLines(linesWithout(secrets, linesOf(path))), 'w', mode);
    renameSync(clean, to);
  };
  writePieces(path, [], 'w', ownerOnly);
  let [count, rewritten, known] = [0, 0, secrets.count()];
  return {
    add(records: readonly HistoryRecord[]): void {
      for (const record of records) secrets.learn(record);
      writePieces(path, historyBytes(records, secrets), 'a', ownerOnly);
      count += records.length;
      // Only once it is twice as long: a long run obtains tokens again and again.
      if (secrets.count() === known || count < 2 * rewritten) return;
      rewrite(path, ownerOnly);
      [rewritten, known] = [count, secrets.count()];
    },
    /** Replaces the history of an earlier run by it. */
    keep(): void {
      rewrite(join(directory, 'history.jsonl'), 0o666);
      rmSync(path, { force: true });
    },
    drop(): void {
      for (const left of [path, clean]) rmSync(left, { force: true });
    },
  };
}

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(chunkBytes);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      const lines = (rest + decoder.decode(chunk.subarray(0, read), { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } finally {
    closeSync(file);
  }
}

/** A crash loses at most the records of this time, in host milliseconds. */
const writeEveryMs = 250;

/**
 * Writes the records of a run into a draft in the folder of its reports while the run goes on, so that they survive a
 * crash of the host.
 * @returns a function that ends this and removes the draft
 * @throws CommandFailure if the folder cannot be written
 */
export function keepOnDisk(
  { records, watch }: Pick<Recorder, 'records' | 'watch'>,
  out: string,
  { cwd, secrets }: Pick<Terminal, 'cwd' | 'secrets'>,
): () => void {
  let draft: ReturnType<typeof historyDraft>;
  try {
    draft = historyDraft(within(cwd, out), secrets);
  } catch (error) {
    throw outFailure(out, error);
  }
  const clock = systemClock();
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
      // The disk is full: the run goes on without a draft. If the report cannot be written either, its error says so.
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

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { LinePiece } from '../history/jsonl.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import { readText, reasonOf } from '../run/read-text.ts';
import { type CommandFailure, usageFailure } from './command.ts';

/** The mode of a file that may hold a secret. */
export const ownerOnly = 0o600;

/** Writes one file whole, without secrets. */
export function writeWhole(secrets: Secrets, path: string, text: string): void {
  writeDrafts(dirname(path), [[basename(path), secrets.maskText(text)]], 0o644);
}

/**
 * Writes a configuration file of a person without masking: it may contain that person's secrets, and would not work
 * without them. A file with secrets is readable by its owner only. An existing file without secrets keeps its mode.
 */
export function writeConfiguration(secrets: Secrets, path: string, text: string): void {
  const before = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
  const mode = secrets.maskText(text) === text ? before & 0o777 : ownerOnly;
  writeDrafts(dirname(path), [[basename(path), text]], mode);
}

/** A text, or whole lines of a history, from which `lineWriter` has taken the secrets. */
type Pieces = Iterable<LinePiece>;

type File<Text = string | Pieces> = readonly [name: string, text: Text];

/**
 * Writes several files of one directory, without secrets. All are written as drafts first and then renamed, so that no
 * reader finds half a file.
 */
export const writeAll = (secrets: Secrets, directory: string, files: readonly File[]): void =>
  writeDrafts(
    directory,
    files.map(([name, text]) => [name, withoutSecrets(secrets, name, text)]),
    0o666,
  );

/** The data of a page is compressed and was masked before: text in it that looks like a secret is none. */
const withoutSecrets = (
  { maskPage, maskText }: Secrets,
  name: string,
  text: string | Pieces,
): string | Pieces =>
  typeof text !== 'string' ? text : name.endsWith('.html') ? maskPage(text) : maskText(text);

function writeDrafts(directory: string, files: readonly File[], mode: number): void {
  const drafts = openDrafts(directory, mode);
  try {
    for (const [name, text] of files) drafts.write(name, text);
    drafts.keep();
  } catch (error) {
    drafts.drop();
    throw error;
  }
}

/** Writes files one by one, in the order given: a text may depend on the files before it. All files or none. */
export async function writeInTurn(
  secrets: Secrets,
  directory: string,
  files: readonly File<string | Pieces | (() => Promise<string>)>[],
): Promise<void> {
  const drafts = openDrafts(directory, 0o666);
  try {
    for (const [name, text] of files) {
      const whole = typeof text === 'function' ? await text() : text;
      drafts.write(name, withoutSecrets(secrets, name, whole));
    }
    drafts.keep();
  } catch (error) {
    drafts.drop();
    throw error;
  }
}

function openDrafts(directory: string, mode: number) {
  makeDirectory(directory);
  const places: { readonly path: string; readonly draft: string }[] = [];
  return {
    write(name: string, text: string | Pieces): void {
      const path = join(directory, name);
      const draft = `${path}.${process.pid}.tmp`;
      places.push({ path, draft });
      writePieces(draft, typeof text === 'string' ? [text] : text, 'w', mode);
    },
    keep(): void {
      for (const { path, draft } of places) renameSync(draft, path);
    },
    drop(): void {
      for (const { draft } of places) rmSync(draft, { force: true });
    },
  };
}

/** Writes masked texts and lines to a file: replaces its content (`w`) or appends to it (`a`). */
export function writePieces(
  path: string,
  pieces: Iterable<string | LinePiece>,
  place: 'w' | 'a',
  mode: number,
): void {
  const file = openSync(path, place, mode);
  try {
    for (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

/** Makes a directory and its parents. The recursive mkdir of Node never ends below a directory such as `/proc`. */
export function makeDirectory(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** About the size of a small report. */
const trialText = ' '.repeat(64 * 1024);

/**
 * Tries to write into the report directory before the run, whose work would be lost otherwise. If the directory does
 * not exist, its nearest existing parent is tried: to make it and remove it again would take it from another process
 * that writes there.
 */
export function tryDirectory(cwd: string, name: string): void {
  try {
    let directory = within(cwd, name);
    let trial = 'trial';
    while (!existsSync(directory)) {
      trial = basename(directory);
      directory = dirname(directory);
    }
    const drafts = openDrafts(directory, 0o666);
    try {
      drafts.write(trial, trialText);
    } finally {
      drafts.drop();
    }
  } catch (error) {
    throw outFailure(name, error);
  }
}

export const outFailure = (name: string, error: unknown): CommandFailure =>
  usageFailure(`--out ${name}: ${reasonOf(error)}`, 'name a directory that can be written');

export const within = (cwd: string, path: string): string => resolve(cwd, path);

/**
 * Text of a file that a command line names, alone or as the value of an option.
 * @throws CommandFailure if it cannot be read; `next`: the next thing to do then
 */
export function textOf(
  name: string,
  cwd: string,
  how: {
    readonly next: string;
    readonly option?: string | undefined;
    readonly limit?: 'source.bytes' | 'record.bytes';
  },
): string {
  const read = readText(within(cwd, name), how.limit);
  if (read.ok) return read.text;
  const given = how.option === undefined ? name : `${how.option} ${name}`;
  throw usageFailure(`${given}: ${read.reason}`, how.next);
}

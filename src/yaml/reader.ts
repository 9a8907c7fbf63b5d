import { oneOfThese } from './did-you-mean.ts';
import type { Advice, Place, SourceError } from './source-error.ts';
import { describe, type YamlNode } from './tree.ts';

/** A location in a file that is named. */
export interface SourceLocation extends Place {
  readonly file: string;
}

/** A value and its location. */
export interface At<T> {
  readonly value: T;
  readonly at: SourceLocation;
}

export interface Entry<T> extends At<T> {
  readonly key: string;
}

/** Access to the machine for a file that names environment variables and other files. */
export interface FileHost {
  /** Directory of the file: paths in it are relative to this directory. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of another file; undefined if it cannot be read. */
  readText(path: string): string | undefined;
}

const noHost: FileHost = { directory: '', env: {}, readText: () => undefined };

/** Collects the problems of one file while its nodes are read, so that all of them can be reported at once. */
export class Reader {
  readonly file: string;
  readonly host: FileHost;
  readonly found: SourceError[] = [];

  constructor(file: string, host = noHost) {
    this.file = file;
    this.host = host;
  }

  location({ line, col, width }: Place): SourceLocation {
    return { file: this.file, line, col, width };
  }

  /** Records one problem; returns undefined so that a reader can return it. */
  add({ line, col, width }: Place, message: string, more: Advice = {}): undefined {
    this.found.push({ file: this.file, line, col, width, message, ...more });
    return undefined;
  }

  wrong(node: YamlNode, expected: string, hint?: string): undefined {
    return this.add(node.place, `found ${describe(node)}`, { expected, hint });
  }

  unknownKey(key: string, at: Place, what: string, known: readonly string[]): undefined {
    const shown = key.length > 60 ? `${key.slice(0, 57)}...` : key;
    const advice = known.length > 0 ? oneOfThese(key, known) : { expected: 'no keys' };
    return this.add(at, `unknown key ${JSON.stringify(shown)} in ${what}`, advice);
  }
}

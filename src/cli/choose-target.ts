import { dirname } from 'node:path';
import { castNames } from '../spec/requirements/requirement.ts';
import type { PartyUrl } from '../target/remote/party-url.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import { readTargetFile } from '../target/file/read-target-file.ts';
import { urlProblem } from '../target/file/url-and-env-values.ts';
import { renderSourceErrors, suggestion } from '../yaml/index.ts';
import { readText, within } from './files.ts';
import type { Terminal } from './terminal.ts';
import { complain } from './complain.ts';

export interface TargetFlags {
  readonly target?: string;
  readonly baseUrl?: readonly string[];
}

/** What a command line asked to be judged. */
export type ChosenTarget =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'file';
      readonly file: TargetFile;
      readonly path: string;
      readonly text: string;
    }
  | { readonly kind: 'urls'; readonly urls: readonly PartyUrl[] };

/** Undefined after having said what is wrong. */
export function chooseTarget(flags: TargetFlags, terminal: Terminal): ChosenTarget | undefined {
  const { target, baseUrl } = flags;
  if (target !== undefined && baseUrl !== undefined) {
    complain(
      terminal,
      '--target and --base-url exclude each other',
      'name every party in the target file, or every one with --base-url',
    );
    return undefined;
  }
  if (target !== undefined) return fromFile(target, terminal);
  return baseUrl === undefined ? { kind: 'embedded' } : targetFromUrls(baseUrl, terminal);
}

function fromFile(name: string, terminal: Terminal): ChosenTarget | undefined {
  const path = within(terminal.cwd, name);
  const read = readText(path);
  if (!read.ok) {
    const next = 'check the path, or let `assay init` write a target file';
    complain(terminal, `--target ${name}: ${read.reason}`, next);
    return undefined;
  }
  const host = {
    directory: dirname(path),
    env: terminal.env,
    readText: (keyPath: string) => {
      const key = readText(keyPath);
      return key.ok ? key.text : undefined;
    },
  };
  const result = readTargetFile({ file: name, text: read.text }, host);
  if (result.ok) return { kind: 'file', file: result.target, path, text: read.text };
  terminal.err(renderSourceErrors(result.errors, read.text));
  return undefined;
}

export function targetFromUrls(
  given: readonly string[],
  terminal: Terminal,
): ChosenTarget | undefined {
  const urls: PartyUrl[] = [];
  for (const text of given) {
    const url = parseGiven(text);
    if (typeof url === 'string') {
      complain(
        terminal,
        `--base-url ${text}: ${url}`,
        'as in --base-url sender=http://127.0.0.1:9000',
      );
      return undefined;
    }
    const twin = urls.find((one) => one.name !== undefined && one.name === url.name);
    if (twin) {
      complain(terminal, `--base-url names ${String(url.name)} twice`, 'give each party once');
      return undefined;
    }
    urls.push(url);
  }
  return { kind: 'urls', urls };
}

/** `name=URL` or a bare URL; a string says what is wrong with it. */
function parseGiven(text: string): PartyUrl | string {
  const named = /^([A-Za-z_-]+)=(.*)$/s.exec(text);
  const baseUrl = (named?.[2] ?? text).replace(/\/+$/, '');
  const problem = urlProblem(baseUrl);
  if (problem !== undefined) return problem;
  if (!named) return { baseUrl };
  const given = named[1] ?? '';
  const name = castNames.find((one) => one === given);
  if (name) return { name, baseUrl };
  const hint = suggestion(given, castNames) ?? `one of ${castNames.join(', ')}`;
  return `${JSON.stringify(given)} is not of the cast; ${hint}`;
}

import type { ChosenTarget } from '../run/open.ts';
import { readTarget } from '../run/target-file.ts';
import { castNames } from '../spec/requirements/requirement.ts';
import type { PartyUrl } from '../target/remote/party-url.ts';
import { urlProblem } from '../target/file/url-and-env-values.ts';
import { suggestion } from '../yaml/index.ts';
import { within } from './files.ts';
import type { Terminal } from './terminal.ts';
import { complain } from './complain.ts';

export interface TargetFlags {
  readonly target?: string;
  readonly baseUrl?: readonly string[];
}

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
  const read = readTarget(name, within(terminal.cwd, name), terminal.env);
  if (read.ok) return read.target;
  if (read.kind === 'invalid') terminal.err(read.problem);
  else {
    const next = 'check the path, or let `assay init` write a target file';
    complain(terminal, `--target ${name}: ${read.problem}`, next);
  }
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

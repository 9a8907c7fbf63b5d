import { currentCheckId } from '../../conformance/renamed-checks.ts';
import type { Waiver } from '../report/index.ts';
import { readText } from '../run/read-text.ts';
import {
  parseYaml,
  Problems,
  readFields,
  readText as readString,
  renderSourceErrors,
  type SourceError,
  type SourceText,
} from '../yaml/index.ts';
import { within } from './files.ts';
import type { Terminal } from './terminal.ts';
import { complain } from './complain.ts';

export type WaiversResult =
  | { readonly ok: true; readonly waivers: readonly Waiver[] }
  | { readonly ok: false; readonly errors: readonly SourceError[] };

const shape = 'a list of waivers, each with id, reason and message';

/** Reads `waivers: [{ id, reason, message }]`; everything that is wrong with it at once. */
export function readWaivers(source: SourceText): WaiversResult {
  const parsed = parseYaml(source);
  if (!parsed.ok) return parsed;
  const problems = new Problems(source.file);
  const top = readFields(parsed.tree, 'a waivers file', { required: ['waivers'] }, problems);
  const list = top?.waivers;
  if (list && list.kind !== 'list') problems.wrong(list, shape);
  const waivers = (list?.kind === 'list' ? list.items : []).flatMap((item): Waiver[] => {
    const fields = readFields(
      item,
      'a waiver',
      { required: ['id', 'reason', 'message'] },
      problems,
    );
    const id = readString(fields?.id, 'the id of a check, a rule or a requirement', problems);
    const reason = readString(fields?.reason, 'why the failure is accepted', problems);
    const message = readString(fields?.message, "the failure's message", problems);
    if (id === undefined || reason === undefined || message === undefined) return [];
    for (const [text, node] of [
      [reason, fields?.reason],
      [message, fields?.message],
    ] as const) {
      if (text.trim() === '' && node) problems.wrong(node, 'some words');
    }
    return [{ id: currentCheckId(id), reason, message }];
  });
  return problems.found.length > 0 ? { ok: false, errors: problems.found } : { ok: true, waivers };
}

/** The waivers that a command line names; undefined after having said what is wrong. */
export function waiversFrom(
  name: string | undefined,
  terminal: Terminal,
): readonly Waiver[] | undefined {
  if (name === undefined) return [];
  const read = readText(within(terminal.cwd, name));
  if (!read.ok) {
    complain(terminal, `--waivers ${name}: ${read.reason}`, `write ${shape} into it`);
    return undefined;
  }
  const result = readWaivers({ file: name, text: read.text });
  if (result.ok) return result.waivers;
  terminal.err(renderSourceErrors(result.errors, read.text));
  return undefined;
}

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
import { CommandFailure, usageFailure } from './command.ts';
import { within } from './files.ts';
import type { Terminal } from './terminal.ts';

type WaiversResult =
  | { readonly ok: true; readonly waivers: readonly Waiver[] }
  | { readonly ok: false; readonly errors: readonly SourceError[] };

const shape = 'a list of waivers, each with id, reason and message';

/** Reads `waivers: [{ id, reason, message }]`; everything that is wrong with it at once. */
function readWaivers(source: SourceText): WaiversResult {
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

/** The waivers that a command line names. */
export function waiversFrom(name: string | undefined, terminal: Terminal): readonly Waiver[] {
  if (name === undefined) return [];
  const read = readText(within(terminal.cwd, name));
  if (!read.ok) throw usageFailure(`--waivers ${name}: ${read.reason}`, `write ${shape} into it`);
  const result = readWaivers({ file: name, text: read.text });
  if (result.ok) return result.waivers;
  throw new CommandFailure(renderSourceErrors(result.errors, read.text));
}

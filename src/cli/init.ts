import { existsSync } from 'node:fs';
import { commentedSections, draftTarget } from '../target/file/draft-target-file.ts';
import { assignCast, targetFileFor } from '../target/remote/base-urls.ts';
import type { CommandInput } from './command.ts';
import { within, writeWhole } from './files.ts';
import { targetFromUrls } from './choose-target.ts';
import type { ExitCode } from './terminal.ts';
import { complain, reportFailure } from './complain.ts';

interface InitFlags {
  readonly baseUrl?: readonly string[];
  readonly out?: string;
}

/** Writes a target file from what some addresses answer; never over one that is there. */
export async function init({ terminal, options }: CommandInput): Promise<ExitCode> {
  const flags = options as InitFlags;
  const out = flags.out ?? 'target.yaml';
  const path = within(terminal.cwd, out);
  if (existsSync(path)) {
    complain(terminal, `${out} is there already`, 'name another file with --out, or remove it');
    return 2;
  }
  if (!flags.baseUrl) {
    complain(
      terminal,
      'no address to ask',
      'give one for each party: --base-url http://127.0.0.1:9000/bank-a',
    );
    return 2;
  }
  const chosen = targetFromUrls(flags.baseUrl, terminal);
  if (chosen?.kind !== 'urls') return 2;
  const cast = await assignCast(chosen.urls);
  if (!cast.ok) return reportFailure(cast, terminal);
  const participants = cast.participants.map(({ name, role, baseUrl }) => ({
    name,
    role,
    baseUrl,
  }));
  const { name } = targetFileFor(cast.participants);
  writeWhole(path, draftTarget({ name, participants, sections: commentedSections }));
  terminal.out(`${out}: ${participants.map((one) => one.name).join(', ')}`);
  terminal.out(`next: assay probe --target ${out} --write`);
  return 0;
}

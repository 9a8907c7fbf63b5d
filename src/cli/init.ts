import { existsSync } from 'node:fs';
import { commentedSections, draftTarget } from '../target/file/draft-target-file.ts';
import { assignCast, targetFileFor } from '../target/remote/base-urls.ts';
import { type CommandInput, openingFailure, usageFailure } from './command.ts';
import { within, writeWhole } from './files.ts';
import { readPartyUrls } from './choose-target.ts';
import type { ExitCode } from './terminal.ts';

interface InitFlags {
  readonly baseUrl?: readonly string[];
  readonly out?: string;
}

/** Writes a target file from what some addresses answer; never over one that is there. */
export async function init({ terminal, options }: CommandInput): Promise<ExitCode> {
  const { baseUrl, out = 'target.yaml' } = options as InitFlags;
  const path = within(terminal.cwd, out);
  if (existsSync(path)) {
    throw usageFailure(`${out} is there already`, 'name another file with --out, or remove it');
  }
  if (!baseUrl) {
    const next = 'give one for each party: --base-url http://127.0.0.1:9000/bank-a';
    throw usageFailure('no address to ask', next);
  }
  const cast = await assignCast(readPartyUrls(baseUrl));
  if (!cast.ok) throw openingFailure(cast);
  const { name, participants } = targetFileFor(cast.participants);
  writeWhole(path, draftTarget({ name, participants, sections: commentedSections }));
  terminal.out(`${out}: ${participants.map((one) => one.name).join(', ')}`);
  terminal.out(`next: assay probe --target ${out} --write`);
  return 0;
}

import { openEmbedded } from '../target/embedded.ts';
import type { Opening } from '../target/opened.ts';
import { openRemote } from '../target/remote.ts';
import { openUrls } from '../target/urls.ts';
import type { Chosen } from './targets.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface OpenFlags {
  readonly maxWait?: number;
  readonly rate?: number;
}

/** Opens what was chosen and reaches every party of it. */
export async function openChosen(chosen: Chosen, seed: bigint, flags: OpenFlags): Promise<Opening> {
  const limits = {
    ...(flags.maxWait !== undefined && { maxWaitMs: flags.maxWait }),
    ...(flags.rate !== undefined && { ratePerSecond: flags.rate }),
  };
  switch (chosen.kind) {
    case 'embedded':
      return { ok: true, target: await openEmbedded({ seed, ...limits }) };
    case 'file':
      return openRemote(chosen.file, { ...limits, source: chosen.text });
    case 'urls':
      return openUrls(chosen.urls, limits);
  }
}

/** Says why a target could not be opened; unreachable is no verdict, misconfigured is the caller's to mend. */
export function reportFailure(
  opening: Extract<Opening, { readonly ok: false }>,
  terminal: Terminal,
): ExitCode {
  terminal.err(opening.problems.join('\n\n'));
  if (opening.kind === 'misconfigured') return 2;
  terminal.err('\nassay: could not judge, since the target could not be reached.');
  return 3;
}

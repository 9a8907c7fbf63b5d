import type { Tamper } from '../reference/http/index.ts';
import type { OpenResult } from '../target/opened-target.ts';
import type { ChosenTarget } from './choose-target.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export interface OpenFlags {
  readonly maxWait?: number;
  readonly rate?: number;
  readonly burst?: number;
  /** Whether every party listens on a stream that all share; yes unless told. */
  readonly listening?: boolean;
  /** How closely clocks must be known for no party to be asked twice. */
  readonly clockWithinMs?: number;
  /** How the embedded reference is bent. */
  readonly tamper?: Tamper;
}

/** Opens what was chosen and reaches every party of it. Each way is loaded when it is gone: a server weighs much. */
export async function openTarget(
  chosen: ChosenTarget,
  seed: bigint,
  flags: OpenFlags,
): Promise<OpenResult> {
  const limits = {
    ...(flags.maxWait !== undefined && { maxWaitMs: flags.maxWait }),
    ...(flags.rate !== undefined && { ratePerSecond: flags.rate }),
    ...(flags.burst !== undefined && { burst: flags.burst }),
    ...(flags.listening !== undefined && { listening: flags.listening }),
    ...(flags.clockWithinMs !== undefined && { clockWithinMs: flags.clockWithinMs }),
  };
  switch (chosen.kind) {
    case 'embedded': {
      const { openEmbedded } = await import('../target/embedded/embedded.ts');
      return {
        ok: true,
        target: await openEmbedded({
          seed,
          ...limits,
          ...(flags.tamper && { tamper: flags.tamper }),
        }),
      };
    }
    case 'file': {
      const { openRemote } = await import('../target/remote/remote.ts');
      return openRemote(chosen.file, { ...limits, source: chosen.text });
    }
    case 'urls': {
      const { openUrls } = await import('../target/remote/base-urls.ts');
      return openUrls(chosen.urls, limits);
    }
  }
}

/** Says why a target could not be opened; unreachable is no verdict, misconfigured is the caller's to mend. */
export function reportFailure(
  opening: Extract<OpenResult, { readonly ok: false }>,
  terminal: Terminal,
): ExitCode {
  terminal.err(opening.problems.join('\n\n'));
  if (opening.kind === 'misconfigured') return 2;
  terminal.err('\nassay: could not judge, since the target could not be reached.');
  return 3;
}

import type { Tamper } from '../reference/http/index.ts';
import type { PartyUrl } from '../target/remote/party-url.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import type { OpenResult } from '../target/opened-target.ts';

/** What somebody asked to be judged. */
export type ChosenTarget =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'file';
      readonly file: TargetFile;
      readonly path: string;
      readonly text: string;
    }
  | { readonly kind: 'urls'; readonly urls: readonly PartyUrl[] };

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

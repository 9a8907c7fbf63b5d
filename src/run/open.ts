import type { Route } from '../client/http/route.ts';
import type { EmbeddedOptions } from '../target/embedded/embedded.ts';
import type { RemoteOptions } from '../target/remote/remote-options.ts';
import type { PartyUrl } from '../target/remote/base-urls.ts';
import { freshRunId } from './fresh.ts';
import type { TargetFile } from '../target/file/target-file.ts';
import type { OpenResult } from '../target/opened-target.ts';

export type { OpenFailure } from '../target/opened-target.ts';

/** Target named by the user. */
export type ChosenTarget =
  | { readonly kind: 'embedded' }
  | {
      readonly kind: 'file';
      readonly file: TargetFile;
      readonly path: string;
      readonly text: string;
    }
  | { readonly kind: 'urls'; readonly urls: readonly PartyUrl[]; readonly route?: Route };

export type RemoteTarget = Exclude<ChosenTarget, { readonly kind: 'embedded' }>;

export type OpenOptions = Pick<
  RemoteOptions,
  | 'maxWaitMs'
  | 'ratePerSecond'
  | 'burst'
  | 'listening'
  | 'kept'
  | 'clockWithinMs'
  | 'callsMayWait'
  | 'networks'
  | 'secrets'
  | 'runId'
> &
  Pick<EmbeddedOptions, 'tamper'>;

/** A target that was opened before cannot be opened again, or no longer answers. */
export class TargetLost extends Error {
  override readonly name = 'TargetLost';
}

/**
 * Opens the chosen target and calls every party of it. Without a run id in the options, the run gets a new one. Each
 * kind of target is loaded only when needed: loading a server takes time.
 */
export async function openTarget(
  chosen: ChosenTarget,
  seed: bigint,
  options: OpenOptions,
): Promise<OpenResult> {
  const { runId = freshRunId() } = options;
  switch (chosen.kind) {
    case 'embedded': {
      const { openEmbedded } = await import('../target/embedded/embedded.ts');
      return { ok: true, target: await openEmbedded({ seed, ...options }) };
    }
    case 'file': {
      const { openRemote } = await import('../target/remote/remote.ts');
      return openRemote(chosen.file, { ...options, runId, source: chosen.text });
    }
    case 'urls': {
      const { openUrls } = await import('../target/remote/base-urls.ts');
      return openUrls(chosen.urls, { ...options, runId }, chosen.route);
    }
  }
}

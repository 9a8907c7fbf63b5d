import { referenceHead } from '../../target/embedded/create-reference.ts';
import { type EmbeddedOptions, openEmbedded } from '../../target/embedded/embedded.ts';
import { Disk } from './disk.ts';
import type { InsideParts } from './faults.ts';
import { type Restart, TargetLives } from './target-lives.ts';
import { FaultyNetworks } from '../../client/faulty-network.ts';
import { Outages, type PausedClock, pausedClock } from './outages.ts';

/** A reference on a host that may pause, behind networks that may fail. */
export interface OpenWorld extends InsideParts {
  /** By the name of the party that uses it. */
  readonly networks: FaultyNetworks;
}

export interface OpenWorldOptions
  extends Omit<EmbeddedOptions, 'backendClock' | 'networks' | 'journal'> {
  readonly startMs: number;
  /** Called after each restart. Absent: the reference has no disk and never restarts. */
  readonly onRestart?: ((restart: Restart) => void) | undefined;
}

/** Opens an embedded reference with everything that faults can strike. */
export async function openWorld(options: OpenWorldOptions): Promise<OpenWorld> {
  const { onRestart, ...rest } = options;
  let host: PausedClock | undefined;
  const networks = new FaultyNetworks(() => host?.leftMs() ?? 0);
  const { world, startMs, ...others } = rest;
  const made = { ...others, ...(world !== undefined && { world }) };
  const disk =
    onRestart && new Disk(referenceHead({ ...made, clock: 'virtual', startedAt: startMs }));
  const journal = disk?.open(startMs);
  const target = await openEmbedded({
    ...rest,
    ...(journal && { journal }),
    backendClock: (clock) => (host = pausedClock(clock)),
    networks,
  });
  if (!host) throw new Error('the reference was made without a clock');
  const outages = new Outages();
  const parts = { target, networks, host, outages };
  return disk ? { ...parts, lives: new TargetLives({ ...parts, disk, onRestart }) } : parts;
}

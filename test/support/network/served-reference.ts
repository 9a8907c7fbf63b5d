import type { Server as HttpServer } from 'node:http';
import { buildServer, type Tamper } from '../../../src/reference/http/index.ts';
import {
  createReference,
  referenceStartMs,
} from '../../../src/target/embedded/create-reference.ts';
import { readTargetFile } from '../../../src/target/file/read-target-file.ts';
import { referenceTargetFile } from '../../../src/target/file/served-reference.ts';
import { systemClock } from '../../../src/timeline/clock/system-clock.ts';
import { virtualClock } from '../../../src/timeline/clock/virtual-clock.ts';

interface ServedOptions {
  readonly clock?: 'system' | 'virtual';
  readonly tamper?: Tamper | undefined;
  /** Changes the server before it listens. */
  readonly alter?: ((server: HttpServer) => void) | undefined;
}

/** A reference on loopback, with the target file and the key that `assay serve` would write. */
export async function servedReference({ clock = 'virtual', tamper, alter }: ServedOptions = {}) {
  const time = clock === 'system' ? systemClock() : virtualClock(referenceStartMs);
  const server = buildServer(createReference({ clock: time, seed: 1n, ...(tamper && { tamper }) }));
  alter?.(server.app.server);
  const addresses = await server.serve({ port: 0 });
  const { alg, signing } = server.tokens.keys;
  return {
    addresses,
    key: JSON.stringify(signing.export({ format: 'jwk' })),
    text: referenceTargetFile({ addresses, clock, signing: { alg, keyFile: 'key.json' } }),
    close: () => server.close(),
  };
}

interface Surroundings {
  readonly file?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly readText?: (path: string) => string | undefined;
}

/** A target file, read. Throws if it is wrong. */
export function targetOf(text: string, surroundings: Surroundings = {}) {
  const { file = 't.yaml', env = {}, readText = () => undefined } = surroundings;
  const read = readTargetFile({ file, text }, { directory: '.', env, readText });
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return read.target;
}

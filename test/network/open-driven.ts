import type { Server as HttpServer } from 'node:http';
import { buildServer, type Tamper } from '../../src/reference/http/index.ts';
import { createReference, referenceStartMs } from '../../src/target/embedded/create-reference.ts';
import { readTargetFile } from '../../src/target/file/read-target-file.ts';
import { referenceTargetFile } from '../../src/target/file/served-reference.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';

export interface Backend {
  readonly tamper?: Tamper;
  readonly alter?: (server: HttpServer) => void;
}

/** A reference over the network whose clock is driven, opened as a target; `close` ends both. */
export async function openDriven({ tamper, alter }: Backend) {
  const clock = virtualClock(referenceStartMs);
  const server = buildServer(createReference({ clock, seed: 1n, ...(tamper && { tamper }) }));
  alter?.(server.app.server);
  const addresses = await server.serve({ port: 0 });
  const { alg, signing } = server.tokens.keys;
  const text = referenceTargetFile({
    addresses,
    clock: 'virtual',
    signing: { alg, keyFile: 'key.json' },
  });
  const key = JSON.stringify(signing.export({ format: 'jwk' }));
  const host = { env: {}, directory: '.', readText: () => key };
  const read = readTargetFile({ file: 't.yaml', text }, host);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const opening = await openRemote(read.target, { source: text, callsMayWait: true });
  if (!opening.ok) throw new Error(opening.problems.join('\n'));
  const { target } = opening;
  const close = async (): Promise<void> => {
    await target.close();
    await server.close();
  };
  return { target, close };
}

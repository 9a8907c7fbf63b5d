import { type Server, buildServer, type Tamper } from '../../src/reference/http/index.ts';
import { createReference, referenceStartMs } from '../../src/target/embedded/create-reference.ts';
import { readTargetFile } from '../../src/target/file/read-target-file.ts';
import { referenceTargetFile } from '../../src/target/file/served-reference.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import type { ChosenTarget } from '../../src/run/open.ts';

export interface ServedReference {
  readonly chosen: Extract<ChosenTarget, { readonly kind: 'file' }>;
  readonly server: Server;
}

/** The reference on loopback, its clock driven, as `assay serve --clock virtual --write-target` serves it. */
export async function serveReference(tamper?: Tamper): Promise<ServedReference> {
  const clock = virtualClock(referenceStartMs);
  const world = createReference({ clock, seed: 1n, ...(tamper && { tamper }) });
  const server = buildServer(world);
  const addresses = await server.serve({ port: 0 });
  const { keys } = server.tokens;
  const key = JSON.stringify(keys.signing.export({ format: 'jwk' }));
  const signing = { alg: keys.alg, keyFile: 'key.json' };
  const text = referenceTargetFile({ addresses, clock: 'virtual', signing });
  const host = { env: {}, directory: '.', readText: () => key };
  const read = readTargetFile({ file: 'served.yaml', text }, host);
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  return { chosen: { kind: 'file', file: read.target, path: 'served.yaml', text }, server };
}

import type { Server as HttpServer } from 'node:http';
import type { Tamper } from '../../src/reference/http/index.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import { servedReference, targetOf } from '../support/network/served-reference.ts';

export interface Backend {
  readonly tamper?: Tamper;
  readonly alter?: (server: HttpServer) => void;
}

/** A reference over the network whose clock is driven, opened as a target; `close` ends both. */
export async function openDriven(backend: Backend) {
  const { text, key, close: closeServer } = await servedReference(backend);
  const read = targetOf(text, { readText: () => key });
  const opening = await openRemote(read, { source: text, callsMayWait: true });
  if (!opening.ok) throw new Error(opening.problems.join('\n'));
  const { target } = opening;
  const close = async (): Promise<void> => {
    await target.close();
    await closeServer();
  };
  return { target, close };
}

import type { Duplex } from 'node:stream';
import type { RawAnswer } from './transport.ts';
import { WireFault } from './wire-errors.ts';

/** Reads a body to its end; throws once it has more bytes than are allowed, declared or real. */
export async function readBody(answer: RawAnswer, maxBytes: number): Promise<Uint8Array> {
  const { status, headers, body } = answer;
  const within = (size: number): void => {
    if (size <= maxBytes) return;
    throw new WireFault(
      { limit: 'answer.body_bytes' },
      `the body of status ${status} has more than ${maxBytes} bytes`,
    );
  };
  within(Number(headers['content-length'] ?? 0));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    within(size);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Decoders are loaded only where a backend encodes. */
export async function decoded(
  raw: Uint8Array,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const { decodeContent } = await import('./content-encoding.ts');
  return decodeContent(raw, encoding, maxBytes);
}

export async function decodersFor(encoding: string | undefined): Promise<readonly Duplex[]> {
  if (encoding === undefined) return [];
  const { contentDecoders } = await import('./content-encoding.ts');
  return contentDecoders(encoding);
}

import type { Readable } from 'node:stream';
import type { Clock } from '../../timeline/clock/clock.ts';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import type { RawAnswer } from './transport.ts';

/** Silence in host milliseconds after which a body is not taken for a slow document. */
const silenceMs = 2_000;

const saysJson = ({ headers }: RawAnswer): boolean =>
  /^\s*application\/(?:[\w.+-]*\+)?json\b/i.test(String(headers['content-type'] ?? ''));

/**
 * True if the answer to the opening of a stream is a stream: any success that is not plainly a document. A stream that
 * declares itself as JSON is still a stream; other code judges its type.
 * @param clock measures silence
 */
export async function isStream(answer: RawAnswer, clock: Clock): Promise<boolean> {
  const { status, headers, body } = answer;
  if (status < 200 || status >= 300 || status === 204) return false;
  if (!saysJson(answer)) return true;
  const isWhole = headers['content-length'] !== undefined;
  if (isWhole || headers['content-encoding'] !== undefined) return false;
  const first = await beginningOf(body, clock);
  return first === undefined ? !body.readableEnded : !/^[\s\uFEFF]*[[{"]/.test(first);
}

/** The first bytes of a body, which stay in the body; undefined if it is silent, or ends before any bytes come. */
function beginningOf(body: Readable, clock: Clock): Promise<string | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.at(clock.now() + silenceMs, done);
    function done(): void {
      cancel();
      const chunk: unknown = body.readableLength > 0 ? body.read() : null;
      body.off('readable', done).off('end', done).off('error', done).off('close', done);
      if (chunk instanceof Uint8Array) body.unshift(chunk);
      const text = chunk instanceof Uint8Array ? new TextDecoder().decode(chunk) : undefined;
      // After a listener was removed, a body flows again only in the next turn of the event loop.
      void eventLoopTurn().then(() => resolve(text));
    }
    body.on('readable', done).on('end', done).on('error', done).on('close', done);
  });
}

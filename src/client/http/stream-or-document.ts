import type { Readable } from 'node:stream';
import type { Clock } from '../../timeline/clock/clock.ts';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import type { RawAnswer } from './transport.ts';

/** What has said nothing for so long, in host milliseconds, is no document that somebody took time to write. */
const silenceMs = 2_000;

const saysJson = ({ headers }: RawAnswer): boolean =>
  /^\s*application\/(?:[\w.+-]*\+)?json\b/i.test(String(headers['content-type'] ?? ''));

/**
 * Whether an answer to the opening of a stream is one: anything of success that is not plainly a document. A stream
 * that says of itself that it is JSON is one all the same, and its type is for others to judge.
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

/** The first bytes of a body, which stay in it; undefined where it ends before any comes, or is silent. */
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

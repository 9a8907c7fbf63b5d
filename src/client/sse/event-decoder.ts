import { ownLimits } from '../../history/limits.ts';

/** One message of an event stream, before its payload is read. */
export interface StreamMessage {
  /** Empty if the stream does not name the event; browsers then call it `message`. */
  readonly event: string;
  /** The data lines joined by line feeds; absent if there are none. Browsers do not report a message without data. */
  readonly data?: string | undefined;
  /** The id that this very message carried. */
  readonly id?: string | undefined;
  /** Texts of comments since the message before, without duplicates; absent if there were none. */
  readonly comments?: readonly string[] | undefined;
}

/**
 * Number of characters of comments that are kept for each message, for the rules that look for leaks. A client ignores
 * comments.
 */
const keptOfComments = 2_000;

/**
 * Reads the event-stream format: lines ended by LF, CR or CRLF, one byte order mark, comments, several data lines,
 * fields in any order. A block that names an event and has no data is handed on too; other code decides if that is a
 * message.
 */
export function eventDecoder(
  onMessage: (message: StreamMessage) => void,
  bound: number = ownLimits['stream.message_chars'],
) {
  const utf8 = new TextDecoder('utf-8');
  let partial = '';
  /** True if a CR ended the last line: an LF right after it belongs to it, even at the start of the next piece. */
  let afterReturn = false;
  /** The fields of the block so far. */
  let event: string | undefined;
  let data: string | undefined;
  let id: string | undefined;
  let size = 0;
  let comments: Set<string> | undefined;
  let isOver = false;

  function endBlock(): void {
    const isEmpty = data === undefined && !event;
    const ended = { event: event ?? '', data, id, comments: comments && [...comments] };
    event = undefined;
    data = undefined;
    id = undefined;
    size = 0;
    if (isEmpty) return;
    comments = undefined;
    onMessage(ended);
  }

  function takeComment(text: string): void {
    if (text === '') return;
    comments ??= new Set();
    const kept = [...comments].reduce((sum, { length }) => sum + length, 0);
    if (kept + text.length <= keptOfComments) comments.add(text);
  }

  function takeLine(line: string): void {
    if (line === '') return endBlock();
    const colon = line.indexOf(':');
    if (colon === 0) return takeComment(line.slice(1).trim());
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') event = value;
    else if (name === 'data') data = data === undefined ? value : `${data}\n${value}`;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else return;
    size += line.length;
  }

  /** Takes the lines that end in this text. Returns the rest. */
  function takeLines(text: string): string {
    let start = 0;
    let cr = text.indexOf('\r');
    let lf = text.indexOf('\n');
    while (cr >= 0 || lf >= 0) {
      const end = lf < 0 || (cr >= 0 && cr < lf) ? cr : lf;
      const rest = text.slice(start, end);
      takeLine(partial === '' ? rest : partial + rest);
      partial = '';
      start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
      // Most targets send no CR at all.
      if (cr >= 0 && cr < start) cr = text.indexOf('\r', start);
      if (lf >= 0 && lf < start) lf = text.indexOf('\n', start);
    }
    afterReturn = text.endsWith('\r');
    return text.slice(start);
  }

  return {
    /** Takes the next piece, cut anywhere. Returns false if a message outgrew the bound; then nothing more is taken. */
    feed(bytes: Uint8Array): boolean {
      if (isOver) return false;
      const decoded = utf8.decode(bytes, { stream: true });
      if (decoded === '') return true;
      const text = afterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
      afterReturn = false;
      const rest = takeLines(text);
      partial += rest;
      isOver = partial.length + size > bound;
      return !isOver;
    },
    /** True if a message has begun and has not ended. A comment does not begin one. */
    isMidMessage: () => !isOver && ((partial !== '' && !partial.startsWith(':')) || size > 0),
  };
}

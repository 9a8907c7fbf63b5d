/** One message of an event stream, before anything is made of its payload. */
export interface StreamMessage {
  /** `message` where the stream does not name it. */
  readonly event: string;
  /** The data lines joined by line feeds; absent where there is none, which browsers would not even report. */
  readonly data?: string;
  /** The id that this very message carried. */
  readonly id?: string;
}

export interface EventDecoder {
  /** Takes the next piece, cut anywhere. `false`: a message outgrew the bound, and nothing more is taken. */
  feed(bytes: Uint8Array): boolean;
}

/** Of one message, in characters: its lines and whatever is still without a line's end. */
const usualBound = 1024 * 1024;

/**
 * Reads the event-stream format: lines ended by LF, CR or CRLF, one byte order mark, comments, several data lines,
 * fields in any order. A block that names an event and has no data is handed on too: whether that is a message is for
 * others to judge.
 */
export function eventDecoder(
  onMessage: (message: StreamMessage) => void,
  bound: number = usualBound,
): EventDecoder {
  const utf8 = new TextDecoder('utf-8');
  let partial = '';
  /** A CR ended the last line: an LF right after it belongs to it, though it come in the next piece. */
  let afterReturn = false;
  let block: { event?: string; data?: string; id?: string } = {};
  let size = 0;
  let isOver = false;

  function endBlock(): void {
    const { event, data, id } = block;
    block = {};
    size = 0;
    if (data === undefined && !event) return;
    onMessage({
      event: event || 'message',
      ...(data !== undefined && { data }),
      ...(id !== undefined && { id }),
    });
  }

  function takeLine(line: string): void {
    if (line === '') return endBlock();
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') block.event = value;
    else if (name === 'data')
      block.data = block.data === undefined ? value : `${block.data}\n${value}`;
    else if (name === 'id' && !value.includes('\0')) block.id = value;
    else return;
    size += line.length;
  }

  /** Takes the lines that end in this text; answers what is left over. */
  function takeLines(text: string): string {
    let start = 0;
    const breaks = /\r\n?|\n/g;
    for (let found = breaks.exec(text); found; found = breaks.exec(text)) {
      const rest = text.slice(start, found.index);
      takeLine(partial === '' ? rest : partial + rest);
      partial = '';
      start = breaks.lastIndex;
    }
    afterReturn = text.endsWith('\r');
    return text.slice(start);
  }

  return {
    feed(bytes) {
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
  };
}

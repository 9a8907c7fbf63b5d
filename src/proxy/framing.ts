/** The head of an HTTP/1 message, parsed and as bytes. */
export interface MessageHead {
  readonly firstLine: string;
  /** Lower-case names; values of the same name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** All bytes of the head, with the empty line that ends it. */
  readonly bytes: Buffer;
}

/** End of a message's body. `rest`: the body ends with the connection. `blind`: the bytes are no HTTP/1 any more. */
export type BodyEnd =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' | 'rest' | 'blind' };

export const noBody: BodyEnd = { kind: 'length', bytes: 0 };

/** Callbacks for the messages of one direction of a connection. */
export interface FramingReader {
  /** Called with a head; returns how its body ends. */
  head(head: MessageHead): BodyEnd;
  /** All bytes outside heads, as they came, with chunk sizes and trailers. */
  passed?(bytes: Buffer): void;
  /** A piece of the body itself. */
  body?(bytes: Buffer): void;
  /** The message is complete. */
  end?(): void;
  /** The bytes that follow cannot be parsed; they go to `passed`. */
  broken?(reason: string): void;
}

export interface Framing {
  feed(bytes: Buffer): void;
  /** The connection has ended. */
  close(): void;
}

const longestHead = 256 * 1024;
const longestLine = 16 * 1024;
const [lineFeed, carriageReturn] = [10, 13];

/** End of a body by the headers alone; undefined if they do not say. */
export function bodyEndOf(headers: MessageHead['headers']): BodyEnd | undefined {
  const { 'transfer-encoding': coding, 'content-length': length } = headers;
  if (coding !== undefined)
    return { kind: /(?:^|,)\s*chunked\s*$/i.test(coding) ? 'chunked' : 'rest' };
  if (length === undefined) return undefined;
  return /^\d{1,15}$/.test(length) ? { kind: 'length', bytes: Number(length) } : { kind: 'blind' };
}

function readHead(bytes: Buffer): MessageHead | undefined {
  const [firstLine = '', ...lines] = bytes.toString('latin1').trimEnd().split(/\r?\n/);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) return undefined;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const isHttp = /^\S+ \S+ HTTP\/1\.[01]$|^HTTP\/1\.[01] \d{3}(?: |$)/.test(firstLine);
  return isHttp ? { firstLine, headers: Object.fromEntries(headers), bytes } : undefined;
}

/** Index of the end of the head that begins a piece; -1 if its end has not come yet. */
function endOfHead(bytes: Buffer): number {
  const usual = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  const bare = bytes.indexOf('\n\n', 0, 'latin1');
  if (bare >= 0 && (usual < 0 || bare < usual)) return bare + 2;
  return usual < 0 ? -1 : usual + 4;
}

/** Parser state: in a head, in the remaining bytes of a body, or in a line of the chunked coding. */
type Place =
  | { readonly kind: 'head' | 'rest' | 'blind' }
  | { readonly kind: 'bytes'; left: number; readonly next: 'end' | 'chunk' }
  | { readonly kind: 'line'; readonly of: 'size' | 'after chunk' | 'trailers' };

/**
 * Splits the bytes of one direction into messages; pieces may be cut anywhere. Changes nothing, and holds back only a
 * head whose end has not come.
 */
export function createFraming(reader: FramingReader): Framing {
  let place: Place = { kind: 'head' };
  let held: Buffer = Buffer.alloc(0);

  function end(): void {
    place = { kind: 'head' };
    reader.end?.();
  }

  function goBlind(bytes: Buffer, reason: string): undefined {
    place = { kind: 'blind' };
    held = Buffer.alloc(0);
    reader.broken?.(reason);
    if (bytes.length > 0) reader.passed?.(bytes);
    return undefined;
  }

  function begin(bodyEnd: BodyEnd): void {
    if (bodyEnd.kind === 'length' && bodyEnd.bytes === 0) end();
    else if (bodyEnd.kind === 'length') place = { kind: 'bytes', left: bodyEnd.bytes, next: 'end' };
    else if (bodyEnd.kind === 'chunked') place = { kind: 'line', of: 'size' };
    else place = { kind: bodyEnd.kind };
  }

  /** Each `take` function consumes a part of a piece. Returns the rest; undefined if nothing is left. */
  function takeHead(piece: Buffer): Buffer | undefined {
    const bytes = held.length === 0 ? piece : Buffer.concat([held, piece]);
    held = Buffer.alloc(0);
    const first = bytes[0] ?? 0;
    // An empty line may stand before a request.
    if (first === carriageReturn || first === lineFeed) {
      reader.passed?.(bytes.subarray(0, 1));
      return bytes.subarray(1);
    }
    if (first <= 32 || first >= 127) return goBlind(bytes, 'this is no HTTP/1');
    const length = endOfHead(bytes);
    if (length < 0) {
      if (bytes.length > longestHead) return goBlind(bytes, 'a head is too long');
      held = bytes;
      return undefined;
    }
    const head = readHead(bytes.subarray(0, length));
    if (!head) return goBlind(bytes, 'a head is malformed');
    begin(reader.head(head));
    return bytes.subarray(length);
  }

  function takeBytes(piece: Buffer, inside: Extract<Place, { kind: 'bytes' }>): Buffer {
    const mine = piece.subarray(0, inside.left);
    inside.left -= mine.length;
    reader.passed?.(mine);
    reader.body?.(mine);
    if (inside.left === 0) {
      if (inside.next === 'end') end();
      else place = { kind: 'line', of: 'after chunk' };
    }
    return piece.subarray(mine.length);
  }

  function takeLine(piece: Buffer, of: Extract<Place, { kind: 'line' }>['of']): Buffer | undefined {
    const feed = piece.indexOf(lineFeed);
    const mine = feed < 0 ? piece : piece.subarray(0, feed + 1);
    reader.passed?.(mine);
    held = held.length === 0 ? mine : Buffer.concat([held, mine]);
    if (held.length > longestLine)
      return goBlind(piece.subarray(mine.length), 'a line is too long');
    if (feed < 0) return undefined;
    const line = held.toString('latin1').trimEnd();
    held = Buffer.alloc(0);
    const rest = piece.subarray(mine.length);
    if (of === 'after chunk') place = { kind: 'line', of: 'size' };
    else if (of === 'trailers') {
      if (line === '') end();
    } else {
      const size = /^([0-9a-f]{1,13})\s*(?:;.*)?$/i.exec(line)?.[1];
      if (size === undefined) return goBlind(rest, 'a chunk has no size');
      const left = Number.parseInt(size, 16);
      place =
        left === 0 ? { kind: 'line', of: 'trailers' } : { kind: 'bytes', left, next: 'chunk' };
    }
    return rest;
  }

  function takeRest(piece: Buffer): undefined {
    reader.passed?.(piece);
    if (place.kind === 'rest') reader.body?.(piece);
    return undefined;
  }

  function take(piece: Buffer): Buffer | undefined {
    if (place.kind === 'head') return takeHead(piece);
    if (place.kind === 'bytes') return takeBytes(piece, place);
    return place.kind === 'line' ? takeLine(piece, place.of) : takeRest(piece);
  }

  return {
    feed(bytes) {
      let left: Buffer | undefined = bytes;
      while (left && left.length > 0) left = take(left);
    },
    close() {
      if (place.kind === 'rest') end();
    },
  };
}

/**
 * How much of what a target sends is read and kept. What runs into one of these limits of ours shows nothing about the
 * target: its record names the limit, and nothing is judged by it.
 */
export const ownLimits = {
  /** Of the head of an answer, in bytes. */
  'answer.head_bytes': 16 * 1024,
  /** Answers of status 1xx before the real one. */
  'answer.interim': 20,
  /** Of a body in bytes, as sent and as decoded. */
  'answer.body_bytes': 8 * 1024 * 1024,
  /** Deeper values would overflow the stack of a recursive walk. */
  'json.depth': 100,
  /** More values would use up the memory: each costs many times its text. */
  'json.values': 1_000_000,
  /** What is kept of one party, in bytes of memory. */
  'party.kept_bytes': 128 * 1024 * 1024,
  /** What is kept of answers of one party that are each larger than any usual page, in bytes of memory. */
  'party.large_bytes': 24 * 1024 * 1024,
  /** Of one event stream: one that brings more is taken to be endless. */
  'stream.messages': 50_000,
  'stream.bytes': 64 * 1024 * 1024,
  /** Of one message, in characters: its lines, and what came after the last line end. */
  'stream.message_chars': 1024 * 1024,
} as const;

export type LimitName = keyof typeof ownLimits;

export interface LimitError {
  readonly code: 'limit';
  readonly limit: LimitName;
  readonly message: string;
}

export const limitError = (
  limit: LimitName,
  message: string = `${limit} is at most ${ownLimits[limit]}`,
): LimitError => ({ code: 'limit', limit, message });

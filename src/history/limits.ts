/**
 * How much is read, kept and done: of what a target sends, of a file, of a scenario. What runs into one of these limits
 * of ours shows nothing about the target: its record or its verdict names the limit, and nothing is judged by it.
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
  'json.values': 200_000,
  /** Of one string or key in JSON, of the name or the id of an event, in characters: whatever tells of it repeats it. */
  'text.chars': 64 * 1024,
  /** What is kept of all parties of a run together, in bytes of memory. */
  'run.kept_bytes': 384 * 1024 * 1024,
  /** The same of worlds on one target: the history of a world that showed something is kept beside that of the next. */
  'worlds.kept_bytes': 192 * 1024 * 1024,
  /** What is kept of one party, in bytes of memory. */
  'party.kept_bytes': 128 * 1024 * 1024,
  /** What is kept of answers of one party that are each larger than any usual page, in bytes of memory. */
  'party.large_bytes': 24 * 1024 * 1024,
  /** Of one event stream: one that brings more is taken to be endless. */
  'stream.messages': 50_000,
  /** Of all event streams of a run together: a run on a usual target brings some 12 MB. */
  'run.stream_bytes': 48 * 1024 * 1024,
  /** Of one message, in characters: its lines, and what came after the last line end. */
  'stream.message_chars': 1024 * 1024,
  /** Of a file that a person writes: a target, a scenario, waivers. */
  'source.bytes': 4 * 1024 * 1024,
  /** Of a file that a run or a browser wrote: a report, a history, a HAR. It has to fit into one text of the host. */
  'record.bytes': 500 * 1024 * 1024,
  /** Steps of one scenario, those of templates and of repetitions as often as they are taken. */
  'scenario.steps': 20_000,
  /** What one scenario takes on a target's own clock, in milliseconds. */
  'scenario.own_clock_ms': 2 * 3_600_000,
  /** Of one value, in characters as it is written. */
  'scenario.value_chars': 1_000_000,
  /** Of all values that a scenario works out, one after another. */
  'scenario.all_chars': 50_000_000,
  /** Of a number, before its decimal point or after it. */
  'scenario.digits': 1_000,
  /** Of a moment. */
  'scenario.year': 9_999,
  /** What a regular expression of a scenario may take for one text, in milliseconds. */
  'scenario.match_ms': 1_000,
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

/** The one way to say that a limit kept something from being judged. */
export const notJudged = (limit: LimitName): string =>
  `not judged because of a limit of assay: ${limit} is ${ownLimits[limit]}`;

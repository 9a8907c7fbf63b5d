/**
 * Limits of assay on reading, keeping and doing: on data from a target, on files, on scenarios. Data beyond a limit
 * shows nothing about the target: its record or its verdict names the limit, and nothing is judged by it.
 */
export const ownLimits = {
  /** Head of an answer, in bytes. */
  'answer.head_bytes': 16 * 1024,
  /** Answers of status 1xx before the real one. */
  'answer.interim': 20,
  /** Body in bytes, as sent and as decoded. */
  'answer.body_bytes': 8 * 1024 * 1024,
  /** Deeper values would overflow the stack of a recursive walk. */
  'json.depth': 100,
  /** Values of one JSON text: each uses many times its text in memory. */
  'json.values': 200_000,
  /** One string or key in JSON, name or id of an event, in characters: reports repeat these texts. */
  'text.chars': 64 * 1024,
  /** Data kept of all parties of a run together, in bytes of memory. */
  'run.kept_bytes': 384 * 1024 * 1024,
  /**
   * Data kept of the worlds on one target, in bytes of memory: the history of a world with findings is kept beside that
   * of the next.
   */
  'worlds.kept_bytes': 192 * 1024 * 1024,
  /** Data kept of one party, in bytes of memory. */
  'party.kept_bytes': 128 * 1024 * 1024,
  /** Data kept of the answers of one party that are larger than any usual page, in bytes of memory. */
  'party.large_bytes': 24 * 1024 * 1024,
  /** Messages of one event stream: a stream with more is treated as endless. */
  'stream.messages': 50_000,
  /** All event streams of a run together, in bytes: a run on a usual target receives some 12 MB. */
  'run.stream_bytes': 48 * 1024 * 1024,
  /** One message, in characters: its lines, and the text after the last line end. */
  'stream.message_chars': 1024 * 1024,
  /** File that a person writes, in bytes: a target, a scenario, waivers. */
  'source.bytes': 4 * 1024 * 1024,
  /**
   * File that a run or a browser wrote, in bytes: a report, a history, a HAR. It has to fit into one string of the
   * host.
   */
  'record.bytes': 500 * 1024 * 1024,
  /** Steps of one scenario; those of templates and repetitions count each time. */
  'scenario.steps': 20_000,
  /** Duration of one scenario on a target's own clock, in milliseconds. */
  'scenario.own_clock_ms': 2 * 3_600_000,
  /** One value, in characters as it is written. */
  'scenario.value_chars': 1_000_000,
  /** All values that a scenario evaluates, together, in characters. */
  'scenario.all_chars': 50_000_000,
  /** Digits of a number before its decimal point, or after it. */
  'scenario.digits': 1_000,
  /** Last year of a moment. */
  'scenario.year': 9_999,
  /** Time that a regular expression of a scenario may take for one text, in milliseconds. */
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

/** The only message for a result that was not judged because of a limit. */
export const notJudged = (limit: LimitName): string =>
  `not judged because of a limit of assay: ${limit} is ${ownLimits[limit]}`;

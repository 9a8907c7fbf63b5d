/** What a caller got wrong, by the argument that it is about. */
export type UsageErrorCode =
  | 'options'
  | 'target'
  | 'suite'
  | 'only'
  | 'seed'
  | 'gaps'
  | 'clock'
  | 'port'
  | 'history'
  | 'scenario';

/**
 * Thrown where an argument or a file cannot be used as it is. What a target does is never thrown: it comes back as an
 * outcome.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: UsageErrorCode;
  /** Each a text for a person, of one or more lines. `message` is all of them. */
  readonly problems: readonly string[];

  constructor(code: UsageErrorCode, problems: readonly string[]) {
    super(problems.join('\n\n'));
    this.code = code;
    this.problems = problems;
  }
}

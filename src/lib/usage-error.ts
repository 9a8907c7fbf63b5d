/** Argument that the error is about. */
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
 * Thrown if an argument or a file cannot be used. Behaviour of the target is never thrown: it is returned as an
 * outcome.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: UsageErrorCode;
  /** Texts for a person, each of one or more lines. `message` joins all of them. */
  readonly problems: readonly string[];

  constructor(code: UsageErrorCode, problems: readonly string[]) {
    super(problems.join('\n\n'));
    this.code = code;
    this.problems = problems;
  }
}

/** Failure of a requirement that the suite reported for the reference with one mutation. */
export interface RecordedFailure {
  /** Id of the mutation. */
  readonly mutation: string;
  /** Id of the check or rule that reported it. */
  readonly by: string;
  readonly message: string;
}

/** Path of the recorded failures, from the root of the repository. */
export const recordedFailuresFile = 'src/handbook/recorded-failures.json';

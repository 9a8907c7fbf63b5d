/** What the suite said of a requirement when the reference was built with one mistake. */
export interface RecordedFailure {
  /** Id of the mutation. */
  readonly mutation: string;
  /** Id of the check or rule that said so. */
  readonly by: string;
  readonly message: string;
}

/** Where they are kept, from the root of the repository. */
export const recordedFailuresFile = 'src/handbook/recorded-failures.json';

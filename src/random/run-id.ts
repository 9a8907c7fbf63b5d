/** Run id of runs on the embedded reference, which is new for each run: their seed alone fixes their identifiers. */
export const fixedRunId = '0';

export const runIdForm = '1 to 40 letters, digits, dots, dashes and underscores';

/** The id of a run as given; undefined if the text is no run id. */
export const parseRunId = (text: string): string | undefined =>
  /^[A-Za-z0-9._-]{1,40}$/.test(text) ? text : undefined;

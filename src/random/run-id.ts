/** Of runs on the embedded reference, which is new for each: what they create is fixed by their seed. */
export const fixedRunId = '0';

export const runIdForm = '1 to 40 letters, digits, dots, dashes and underscores';

/** The id of a run as it is given; undefined for what is none. */
export const parseRunId = (text: string): string | undefined =>
  /^[A-Za-z0-9._-]{1,40}$/.test(text) ? text : undefined;

/** Advice for requirements whose ids match; of several that match, the first counts. */
export type Mend = readonly [ids: RegExp, advice: string];

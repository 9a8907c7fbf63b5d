/** A body as a record has it: a JSON value, or the text where it is none; nothing where it was empty. */
export function bodyAsSent(text: string | undefined): { body?: unknown } {
  if (text === undefined || text === '') return {};
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { body: text };
  }
}

/** Headers as a record has them: of an authorization only its scheme is left. */
export const withoutToken = (headers: Readonly<Record<string, string>>): Record<string, string> => {
  const { authorization, ...others } = headers;
  if (authorization === undefined) return others;
  return {
    ...others,
    authorization: `${authorization.slice(0, authorization.search(/\s/) + 1)}***`,
  };
};

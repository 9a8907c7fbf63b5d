/** Body for a record: a JSON value, or the text if it is no JSON; no member if the body was empty. */
export function bodyAsSent(text: string | undefined): { body?: unknown } {
  if (text === undefined || text === '') return {};
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { body: text };
  }
}

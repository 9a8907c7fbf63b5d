/** A body as a record has it: a JSON value, or the text where it is none; nothing where it was empty. */
export function bodyAsSent(text: string | undefined): { body?: unknown } {
  if (text === undefined || text === '') return {};
  try {
    return { body: JSON.parse(text) as unknown };
  } catch {
    return { body: text };
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Value of a JSON text; undefined if the text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `data` of an answer of any status. */
export const dataIn = ({
  response,
}: {
  readonly response?: { readonly body?: unknown } | undefined;
}): unknown => (isObject(response?.body) ? response.body['data'] : undefined);

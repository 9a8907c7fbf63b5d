/** All reasons for which the core refuses; mapped to HTTP in one place (http/wire/problems.ts). */
export type CoreErrorCode =
  | 'malformed_body'
  | 'missing_field'
  | 'unknown_field'
  | 'invalid_type'
  | 'invalid_form'
  | 'invalid_value'
  | 'invalid_query'
  | 'role_not_allowed'
  | 'not_party_to_order'
  | 'not_found'
  | 'wrong_state'
  | 'quote_not_usable'
  | 'above_maximum'
  | 'already_done';

export interface CoreError {
  readonly code: CoreErrorCode;
  /** A sentence for a person: what was found and what was expected. */
  readonly detail: string;
  /** JSON Pointer into the body, or the name of the query or path parameter. */
  readonly at?: string;
}

export interface Refusal {
  readonly ok: false;
  readonly error: CoreError;
}

export const refuse = (code: CoreErrorCode, detail: string, at?: string): Refusal => ({
  ok: false,
  error: at === undefined ? { code, detail } : { code, detail, at },
});

/** A received value as text, at most 60 characters, to repeat in a message. */
export const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

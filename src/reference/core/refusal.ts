import type { Reply } from './contract.ts';
import type { CoreError, CoreErrorCode } from './errors.ts';

export type Refusal = Extract<Reply, { readonly ok: false }>;

export const refuse = (code: CoreErrorCode, detail: string, at?: string): Refusal => ({
  ok: false,
  error: at === undefined ? { code, detail } : { code, detail, at },
});

export const refused = (error: CoreError): Refusal => ({ ok: false, error });

/** A received value as text, at most 60 characters, to repeat in a message. */
export const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

/** Three base64url runs with dots between, the first of them beginning as every JSON header does. */
const jwt = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;
const bearer = /\b(Bearer)\s+[\w.~+/-]{8,}=*/gi;

const maskText = (text: string): string => text.replace(jwt, '$TOKEN').replace(bearer, '$1 $TOKEN');

/**
 * A JSON value without anything that looks like a token, at any depth. What a check shows as "actual" may hold what a
 * target sent, and no report may carry what opens a backend. Values that JSON does not have become their text.
 */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint' || typeof value === 'symbol' || typeof value === 'function') {
    return maskText(String(value));
  }
  if (typeof value !== 'object' || value === null) return value;
  // What a target sends may be nested deeper than a reader or a stack reaches.
  if (depth >= 32) return '(nested deeper)';
  if (Array.isArray(value)) return value.map((item) => masked(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [maskText(key), masked(inner, depth + 1)]),
  );
}

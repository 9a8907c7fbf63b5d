import { ownLimits } from '../history/limits.ts';
import { isObject, type JsonObject } from './json.ts';

const parts = ['header', 'claims'] as const;

/**
 * One part of a JWT, unverified; its signature may be masked. Undefined if the part is no JSON object, or is nested
 * deeper than we read: such a token is neither judged nor signed with.
 */
export function jwtPart(token: string, part: (typeof parts)[number]): JsonObject | undefined {
  const text = token.split('.', 2)[parts.indexOf(part)];
  if (text === undefined || !/^[\w-]+=*$/.test(text)) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isObject(read) && isWithin(read, ownLimits['json.depth']) ? read : undefined;
  } catch {
    return undefined;
  }
}

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)));

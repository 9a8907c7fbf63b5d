import { isObject } from '../../../history/json.ts';
import { subjectOf } from '../../../spec/requirements/index.ts';
import type { Group } from '../cover.ts';

/** The same forgeries pass, at whichever gates. */
export function isSameForgery({ members }: Group, cause: Group): boolean {
  const known = new Set(cause.members.map(({ failure }) => failure.token));
  return members.every(({ failure: { token } }) => token !== undefined && known.has(token));
}

/** Where good tokens are refused, so is whatever is asked for with them. */
export const isOfRefusedToken = ({ members }: Group, cause: Group): boolean =>
  cause.members.some(
    ({ requirement, failure }) =>
      subjectOf(requirement).token === true && failure.deviation === 'refused',
  ) &&
  members.every(
    ({ failure: { deviation, actual } }) =>
      deviation === 'refused' && (isObject(actual) ? actual['status'] : actual) === 401,
  );

/** What a gate asks of a token, by the claim that says it. */
const refusedFor: Readonly<Record<string, string>> = {
  aud: 'auth.wrong-audience-refused',
  iss: 'auth.wrong-issuer-refused',
  exp: 'auth.no-expiry-refused',
};

/** What a token states is before whatever is done with it. */
export const isStated = ({ where, leaf }: Group): boolean =>
  where === 'token.create' && Object.hasOwn(refusedFor, leaf);

/** A target that states a claim wrongly, or not at all, in its own tokens asks no more of those of others. */
export const isAboutItsClaim = ({ members }: Group, cause: Group): boolean =>
  isStated(cause) &&
  members.every(({ failure }) => failure.deviation === 'let through') &&
  members.some(({ requirement }) => requirement === refusedFor[cause.leaf]);

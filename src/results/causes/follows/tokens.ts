import { isObject } from '../../../history/json.ts';
import { subjectOf } from '../../../spec/requirements/index.ts';
import type { Group } from '../cover.ts';

/** True if the forged tokens let through have the same defects, at any endpoints. */
export function isSameForgery({ members }: Group, cause: Group): boolean {
  const known = new Set(cause.members.map(({ failure }) => failure.token));
  return members.every(({ failure: { token } }) => token !== undefined && known.has(token));
}

/** If good tokens are refused, every request with such a token is refused with 401. */
export const isOfRefusedToken = ({ members }: Group, cause: Group): boolean =>
  cause.members.some(
    ({ requirement, failure }) =>
      subjectOf(requirement).token === true && failure.deviation === 'refused',
  ) &&
  members.every(
    ({ failure: { deviation, actual } }) =>
      deviation === 'refused' && (isObject(actual) ? actual['status'] : actual) === 401,
  );

/** Requirement on the verification of each claim of a token. */
const refusedFor: Readonly<Record<string, string>> = {
  aud: 'auth.wrong-audience-refused',
  iss: 'auth.wrong-issuer-refused',
  exp: 'auth.no-expiry-refused',
};

/** True for a wrong claim in the tokens that the target issues. It explains failures in the use of tokens. */
export const isStated = ({ where, leaf }: Group): boolean =>
  where === 'token.create' && Object.hasOwn(refusedFor, leaf);

/** A target with a wrong or missing claim in its own tokens does not verify that claim in others either. */
export const isAboutItsClaim = ({ members }: Group, cause: Group): boolean =>
  isStated(cause) &&
  members.every(({ failure }) => failure.deviation === 'let through') &&
  members.some(({ requirement }) => requirement === refusedFor[cause.leaf]);

import { type CastName, cast, castNames } from '../../spec/requirements/requirement.ts';
import type { Role } from '../../spec/vocabulary.ts';

/** A party as the command line names it: `name=URL`, or a bare URL whose role its token will tell. */
export interface PartyUrl {
  readonly name?: CastName;
  readonly baseUrl: string;
}

/** The first member of the cast of a role that is still free. */
export const freeCastName = (role: Role, taken: ReadonlySet<CastName>): CastName | undefined =>
  castNames.find((name) => cast[name] === role && !taken.has(name));

import type { ReachResult } from '../../client/party.ts';
import { fieldsOf, succeeded, textOf } from '../../protocol/answers.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import { forms } from '../../spec/forms.ts';
import type { OpenedParty } from './open-parties.ts';
import type { PreflightProblem } from './preflight.ts';

export interface ReachedParty extends OpenedParty {
  readonly reached: ReachResult;
}

/** Party ids by their source; absent if the source gives none. */
interface Identity {
  readonly whoami?: string | undefined;
  readonly tokenResult?: string | undefined;
  readonly claims?: string | undefined;
}

function identityOf({ open, reached: { token, identity } }: ReachedParty): Identity {
  const claims = jwtPart(open.as('preflight').token, 'claims');
  return {
    ...(succeeded(identity) && { whoami: textOf(fieldsOf(identity), 'party_id') }),
    ...(token && succeeded(token) && { tokenResult: textOf(fieldsOf(token), 'canton_party_id') }),
    ...(claims && { claims: textOf(claims, 'canton_party_id') ?? textOf(claims, 'sub') }),
  };
}

/** The id that all sources agree on: if they differ, that is for the checks to judge. */
function agreedId(identity: Identity): string | undefined {
  const { whoami, tokenResult, claims } = identity;
  const told = new Set([whoami, tokenResult, claims].filter((id) => id !== undefined && id !== ''));
  return told.size === 1 ? [...told][0] : undefined;
}

const partyId = new RegExp(forms.party.pattern);

/** A token from elsewhere that names another party than the backend does: it was issued for that one. */
export function foreignTokenProblems(parties: readonly ReachedParty[]): PreflightProblem[] {
  return parties.flatMap((one) => {
    const { name, token, baseUrl, places } = one.participant;
    const { whoami, claims } = identityOf(one);
    if (token.kind === 'own' || whoami === undefined || claims === undefined) return [];
    if (whoami === claims || !partyId.test(claims) || !partyId.test(whoami)) return [];
    const message = `the token of ${name} is for ${claims}, and the backend at ${baseUrl} is ${whoami}`;
    return [{ kind: 'misconfigured', place: places.token, message, expected: whoami } as const];
  });
}

/**
 * Problems of names that stand for one party: no statement about two separate parties could be judged. Each is asked
 * once more by itself, since a backend that mixes up simultaneous requests is at fault, and not the file.
 */
export async function sharedIdentityProblems(
  parties: readonly ReachedParty[],
): Promise<PreflightProblem[]> {
  const byId = new Map<string, ReachedParty[]>();
  for (const one of parties) {
    const id = agreedId(identityOf(one));
    if (id !== undefined) byId.set(id, [...(byId.get(id) ?? []), one]);
  }
  const problems: PreflightProblem[] = [];
  for (const [id, some] of byId) {
    if (some.length < 2 || !(await allInsist(id, some))) continue;
    const names = some.map(({ participant }) => participant.name);
    for (const { participant } of some) {
      const others = names.filter((name) => name !== participant.name).join(' and ');
      problems.push({
        kind: 'misconfigured',
        place: participant.places.baseUrl,
        message: `${participant.name} and ${others} are the same party: ${id}`,
        expected: 'a party of its own for each name',
        hint: 'leave out a name that your target has no party for: what needs it is out of scope then',
      });
    }
  }
  return problems;
}

async function allInsist(id: string, some: readonly ReachedParty[]): Promise<boolean> {
  for (const { open, participant } of some) {
    const [endpoint, field] =
      participant.token.kind === 'own'
        ? (['token.create', 'canton_party_id'] as const)
        : (['identity.read', 'party_id'] as const);
    const again = await open.as('preflight').call(endpoint);
    const told = succeeded(again) ? textOf(fieldsOf(again), field) : undefined;
    if (told !== undefined && told !== id) return false;
  }
  return true;
}

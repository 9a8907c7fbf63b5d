import type { Party } from '../../client/contract.ts';
import type { OpenParty, ReachResult } from '../../client/party.ts';
import type { Exchange } from '../../history/records.ts';
import { fieldsOf, succeeded, textOf } from '../../protocol/answers.ts';
import { plainParty } from '../../protocol/equality.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import { forms } from '../../spec/forms.ts';
import { LostClockError } from '../../timeline/timeline-errors.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { offsetOf } from '../clock/clock-offset.ts';
import type { TargetFile } from '../file/target-file.ts';
import type { OpenedParty } from './open-parties.ts';
import {
  isNoAnswerOfService,
  noService,
  possiblyForHeaders,
  type PreflightProblem,
  preflightProblemsOf,
  refusesCorrelation,
} from './preflight.ts';
import type { RemoteOptions } from './remote-options.ts';

/** Reaches all parties; returns their problems. */
export async function reachParties(
  parties: readonly OpenedParty[],
  timeline: Timeline,
  options: RemoteOptions,
): Promise<readonly PreflightProblem[]> {
  return timeline.act('reaching', async () => {
    const reached = await timeline.together(
      parties.map((party) => [
        `reach ${party.participant.name}`,
        async (): Promise<ReachedParty> => ({
          ...party,
          reached: await reachParty(party.open, options),
        }),
      ]),
    );
    const problems: PreflightProblem[] = [];
    for (const one of reached) problems.push(...(await problemsOf(one)));
    const isNobodyLeft = problems.filter(({ kind }) => kind === 'unread').length === reached.length;
    return [
      ...problems.map((one) => (isNobodyLeft ? { ...one, kind: 'unreachable' as const } : one)),
      ...foreignTokenProblems(reached),
      ...(await sharedIdentityProblems(reached)),
    ];
  });
}

async function problemsOf({ participant, open, reached }: ReachedParty) {
  const party = open.as('preflight');
  const problems = preflightProblemsOf(participant, reached, party.token);
  const { identity } = reached;
  const refused = possiblyForHeaders(reached);
  const granted = refused && (await grantedWithoutHeaders(party, refused));
  if (refused && granted) return [refusesCorrelation(participant, refused, granted)];
  if (problems.some(({ kind }) => kind !== 'note') || !isNoAnswerOfService(identity))
    return problems;
  // One missing endpoint is for the checks to judge. A service has at least one of the others.
  const list = participant.role === 'market-maker' ? 'rfq.list' : 'order.list';
  const others = [
    await party.call('health.read'),
    await party.call('stats.read'),
    await party.call(list),
  ];
  return others.every(isNoAnswerOfService)
    ? [noService(participant, [identity, ...others])]
    : problems;
}

/** Repeats a request without the headers for logs. Returns it if it is granted, and refused once more with them. */
async function grantedWithoutHeaders(
  party: Party,
  { endpoint = 'identity.read', auth }: Exchange,
): Promise<Exchange | undefined> {
  const asked = auth === 'none' ? { credential: { label: 'none' } } : {};
  const without = await party.call(endpoint, { ...asked, correlation: 'none' });
  if (!succeeded(without)) return undefined;
  const again = await party.call(endpoint, asked);
  return succeeded(again) ? undefined : without;
}

/** The problem of a failed clock; throws every other error again. */
export const clockProblemOf =
  ({ clock }: TargetFile) =>
  (error: unknown): PreflightProblem => {
    if (!(error instanceof LostClockError) || clock.kind !== 'controlled') throw error;
    return { kind: 'unreachable', place: clock.places.advance, message: error.message };
  };

/** Asks a second time on the then warm connection, unless the first answers show the party's clock closely enough. */
async function reachParty(
  open: OpenParty,
  { clockWithinMs = 0 }: RemoteOptions,
): Promise<ReachResult> {
  const reached = await open.reach();
  const { token, identity } = reached;
  if (!identity.response) return reached;
  const offset = offsetOf(token ? [token, identity] : [identity]);
  const isKnown = offset !== undefined && offset.most - offset.least <= clockWithinMs;
  if (!isKnown) await open.as('preflight').call('identity.read');
  return reached;
}

/** Closes the parties that got no token: the history holds its refusal, and nothing else of them can be judged. */
export async function withTokens(
  opened: readonly OpenedParty[],
  problems: readonly PreflightProblem[],
): Promise<readonly OpenedParty[]> {
  const isTokenless = ({ participant }: OpenedParty): boolean =>
    problems.some(
      ({ kind, place }) =>
        (kind === 'tokenless' || kind === 'unread') && place === participant.places.baseUrl,
    );
  for (const one of opened) if (isTokenless(one)) await one.open.close();
  return opened.filter((one) => !isTokenless(one));
}

interface ReachedParty extends OpenedParty {
  readonly reached: ReachResult;
}

/** Party ids by their source; absent if the source gives none. */
interface Identity {
  readonly whoami?: string | undefined;
  readonly tokenResult?: string | undefined;
  readonly claims?: string | undefined;
}

/** Letters in the digits of an identifier do not tell two parties apart. */
function partyIn(fields: unknown, name: string): string | undefined {
  const id = textOf(fields, name);
  return id === undefined ? undefined : plainParty(id);
}

function identityOf({ open, reached: { token, identity } }: ReachedParty): Identity {
  const claims = jwtPart(open.as('preflight').token, 'claims');
  return {
    ...(succeeded(identity) && { whoami: partyIn(fieldsOf(identity), 'party_id') }),
    ...(token && succeeded(token) && { tokenResult: partyIn(fieldsOf(token), 'canton_party_id') }),
    ...(claims && { claims: partyIn(claims, 'canton_party_id') ?? partyIn(claims, 'sub') }),
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
function foreignTokenProblems(parties: readonly ReachedParty[]): PreflightProblem[] {
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
async function sharedIdentityProblems(
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
    const told = succeeded(again) ? partyIn(fieldsOf(again), field) : undefined;
    if (told !== undefined && told !== id) return false;
  }
  return true;
}

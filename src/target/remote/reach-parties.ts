import type { Party } from '../../client/contract.ts';
import type { OpenParty, ReachResult } from '../../client/party.ts';
import type { Exchange } from '../../history/records.ts';
import { succeeded } from '../../protocol/answers.ts';
import { LostClockError } from '../../timeline/timeline-errors.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { offsetOf } from '../clock/clock-offset.ts';
import type { TargetFile } from '../file/target-file.ts';
import type { OpenedParty } from './open-parties.ts';
import { foreignTokenProblems, type ReachedParty, sharedIdentityProblems } from './identities.ts';
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

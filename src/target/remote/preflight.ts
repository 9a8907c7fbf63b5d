import type { ReachResult } from '../../client/party.ts';
import { isRefusedForForm } from '../../client/token-request.ts';
import { correlationHeaders, correlationIn } from '../../history/correlation.ts';
import type { Exchange } from '../../history/records.ts';
import { type Place, renderSourceError } from '../../yaml/index.ts';
import {
  type Fields,
  fieldsOf,
  isGatewayStatus,
  isObject,
  isRefusal,
  succeeded,
} from '../../protocol/answers.ts';
import { reachFaultOf } from './reach-faults.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import { type Role, roles as allRoles } from '../../spec/vocabulary.ts';
import type { Participant } from '../file/target-file.ts';

/** A problem that keeps a party from being used, with its place in the target file. */
export interface PreflightProblem {
  /**
   * `tokenless`: the token endpoint is at fault, which is judged, and nothing else of the party can be. `unread`: its
   * answer ran into a limit of ours, and nothing of the party is judged.
   */
  readonly kind: 'unreachable' | 'misconfigured' | 'tokenless' | 'unread' | 'note';
  readonly place: Place;
  readonly message: string;
  /** Kind of error, and the party. A problem with one cause for several parties is reported once. */
  readonly shared?: { readonly error: string; readonly party: string };
  readonly expected?: string;
  readonly hint?: string;
}

export const isItThere = 'is the backend running, and is this its address?';

const saidBy = ({ request, response, error }: Exchange): string =>
  response
    ? `${request.method} ${request.path} answered ${response.status}`
    : `${request.method} ${request.path}: ${error?.message ?? 'no answer'}`;

/** Problems of a party as it was found; empty if it can be judged. */
export function preflightProblemsOf(
  party: Participant,
  reached: ReachResult,
  token: string,
): PreflightProblem[] {
  const { token: obtained, identity } = reached;
  const { places } = party;
  const first = obtained ?? identity;
  if (party.token.kind === 'own' && obtained?.error?.code === 'limit') {
    // It gave an answer, which we do not read: no other party has to wait for that.
    const message = `${party.name} gave no token that is read: ${saidBy(obtained)}; nothing else of ${party.name} is judged`;
    return [{ kind: 'unread', place: places.baseUrl, message }];
  }
  const fault = faultProblem(party, first);
  if (!first.response) {
    if (fault) return [{ kind: 'unreachable', ...fault }];
    const message = `${party.name} at ${party.baseUrl}: ${saidBy(first)}`;
    return [{ kind: 'unreachable', place: places.baseUrl, message, hint: isItThere }];
  }
  if (token === '') {
    return [fault ? { kind: 'misconfigured', ...fault } : withoutToken(party, obtained)];
  }
  const claims = jwtPart(token, 'claims');
  const told = [
    ...roleOf(obtained && fieldsOf(obtained)),
    ...roleOf(fieldsOf(identity)),
    ...roleOf(claims),
  ];
  const roles = [...new Set(told)];
  // If its own answers differ from each other, or name an unknown role, that is for the checks to judge.
  if (roles.length > 0 && !roles.includes(party.role)) {
    const message = `${party.name} calls itself ${roles.join(' and ')}`;
    return [{ kind: 'misconfigured', place: places.role, message, expected: party.role }];
  }
  if (!identity.response) {
    const message = `${party.name} at ${party.baseUrl}: ${saidBy(identity)}`;
    return [{ kind: 'unreachable', place: places.baseUrl, message }];
  }
  const status = identity.response.status;
  if (party.token.kind !== 'own' && (status === 401 || status === 403)) {
    const message = `the token is not accepted: ${saidBy(identity)}`;
    return [{ kind: 'misconfigured', place: places.token, message }];
  }
  return succeeded(identity)
    ? []
    : [{ kind: 'note', place: places.name, message: `${party.name}: ${saidBy(identity)}` }];
}

/** Problem of the connection to a party; reported once for all parties that it keeps away. */
function faultProblem(
  party: Participant,
  first: Exchange,
): Omit<PreflightProblem, 'kind'> | undefined {
  const fault = reachFaultOf(party, first);
  if (!fault) return undefined;
  const { error, said, expected, hint } = fault;
  return {
    place: party.places.baseUrl,
    message: `${party.name} at ${party.baseUrl}: ${said}`,
    shared: { error, party: party.name },
    expected,
    hint,
  };
}

function withoutToken(party: Participant, obtained: Exchange | undefined): PreflightProblem {
  if (party.token.kind !== 'own' || !obtained) {
    return { kind: 'misconfigured', place: party.places.token, message: 'no token could be had' };
  }
  const status = obtained.response?.status ?? 0;
  const message = `${party.name} gave no token: ${saidBy(obtained)}`;
  if (isWrongAnswer(obtained)) {
    return {
      kind: 'tokenless',
      place: party.places.baseUrl,
      message: `${message}; nothing else of ${party.name} is judged`,
    };
  }
  // Nothing is known of a backend that is busy or broken, not even that the file is wrong.
  if (status >= 500 || status === 429 || isGatewayStatus(status)) {
    return { kind: 'unreachable', place: party.places.baseUrl, message };
  }
  const hint =
    'part 4.1 gives a token for a POST without a body; where tokens come from elsewhere: token: { env: NAME }';
  return { kind: 'misconfigured', place: party.places.baseUrl, message, hint };
}

/** True for an answer that no token endpoint may give: a result without a token, or a refusal of the form of 4.1. */
const isWrongAnswer = (obtained: Exchange): boolean =>
  isRefusedForForm(obtained) || (succeeded(obtained) && isObject(obtained.response?.body));

const roleOf = (fields: Fields | undefined): Role[] =>
  allRoles.filter((role) => role === fields?.['role']);

/** The first refusal that the ids in the headers of its request may have caused. */
export const possiblyForHeaders = ({ token, identity }: ReachResult): Exchange | undefined =>
  [token, identity].find((one) => {
    if (!one || !correlationIn(one)) return false;
    return isRefusal(one) && one.response?.status !== 429;
  });

/** Problem of a target that grants a request only without the headers by which its logs would name it. */
export const refusesCorrelation = (
  party: Participant,
  refused: Exchange,
  granted: Exchange,
): PreflightProblem => ({
  kind: 'misconfigured',
  place: party.places.baseUrl,
  shared: { error: 'correlation', party: party.name },
  message: `${party.name} refuses requests with the headers ${correlationHeaders.join(' and ')}: ${saidBy(refused)}, and ${granted.response?.status} without them`,
  expected: 'a target that ignores headers which it does not know',
  hint: 'say correlation: none in the target file',
});

/** True for the status of an unknown path, or for a page: from a server that is no backend of this interface. */
export const isNoAnswerOfService = ({ response }: Exchange): boolean =>
  response !== undefined &&
  (response.status === 404 ||
    response.status === 405 ||
    (response.status < 400 && !isObject(response.body)));

/** Problem of an address without the service behind it. */
export function noService(party: Participant, asked: readonly Exchange[]): PreflightProblem {
  const said = asked.map(saidBy).join(', ');
  return {
    kind: 'misconfigured',
    place: party.places.baseUrl,
    message: `${party.name} at ${party.baseUrl} is no backend of this interface: ${said}`,
    expected: 'an address below which /api/v1/whoami and the other paths of part 4 are',
    hint: 'is a part of the path missing, or one too much?',
  };
}

/** Text of each problem. A problem that parties share is reported once, with the names of the other parties. */
export function renderPreflightProblems(
  problems: readonly PreflightProblem[],
  file: string,
  source: string | undefined,
): string[] {
  const told = new Set<string>();
  return problems.flatMap((problem) => {
    const text = renderPreflightProblem(problem, file, source);
    const { error, party } = problem.shared ?? {};
    if (error === undefined) return [text];
    if (told.has(error)) return [];
    told.add(error);
    const others = problems.flatMap(({ shared }) =>
      shared?.error === error && shared.party !== party ? [shared.party] : [],
    );
    return [others.length === 0 ? text : `${text}\n  the same for: ${others.join(', ')}`];
  });
}

/** As file:line:col with the line and a caret; without a file, just the words. */
function renderPreflightProblem(
  trouble: PreflightProblem,
  file: string,
  source: string | undefined,
): string {
  const { place, message, expected, hint } = trouble;
  const error = {
    file,
    ...place,
    message,
    ...(expected !== undefined && { expected }),
    ...(hint !== undefined && { hint }),
  };
  if (source !== undefined) return renderSourceError(error, source);
  const more = [expected && `  expected: ${expected}`, hint && `  hint: ${hint}`].filter(Boolean);
  return [message, ...more].join('\n');
}

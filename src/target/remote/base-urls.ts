import { networkTransport } from '../../client/http/network-transport.ts';
import type { Route } from '../../client/http/route.ts';
import { createParty } from '../../client/party.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import { createRecorder } from '../../history/recorder.ts';
import type { Secrets } from '../../history/secrets/secrets.ts';
import { fieldsOf } from '../../protocol/answers.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import { type CastName, cast, castNames } from '../../spec/requirements/requirement.ts';
import { type Role, roles } from '../../spec/vocabulary.ts';
import { defaultMaxWaitMs, type Participant, type TargetFile } from '../file/target-file.ts';
import { isItThere } from './preflight.ts';
import { openRemote, unreached } from './remote.ts';
import type { RemoteOptions } from './remote-options.ts';
import type { OpenResult } from '../opened-target.ts';

/** A party as the command line names it: `name=URL`, or a bare URL whose role its token will tell. */
export interface PartyUrl {
  readonly name?: CastName;
  readonly baseUrl: string;
}

const nowhere = { line: 1, col: 1, width: 1 } as const;

interface RoleProblem {
  readonly kind: 'unreachable' | 'misconfigured';
  readonly text: string;
}

type AssignedCast =
  | { readonly ok: true; readonly participants: readonly Participant[] }
  | {
      readonly ok: false;
      readonly kind: RoleProblem['kind'];
      readonly problems: readonly string[];
    };

/** Opens the parties behind addresses. An address without a name gets a free name of its token's role. */
export async function openUrls(
  urls: readonly PartyUrl[],
  options: RemoteOptions = {},
  route: Route = {},
): Promise<OpenResult> {
  const found = await assignCast(urls, route, options.secrets);
  if (found.ok) return openRemote(targetFileFor(found.participants, route), options);
  const { kind, problems } = found;
  if (kind === 'misconfigured') return { ok: false, kind, problems };
  const named = urls.flatMap(({ name, baseUrl }) =>
    name ? [participantAt(name, cast[name], baseUrl, route)] : [],
  );
  return unreached(targetFileFor(named, route), createRecorder(options.secrets), options, problems);
}

export const targetFileFor = (
  participants: readonly Participant[],
  route: Route = {},
): TargetFile => ({
  file: '--base-url',
  directory: '.',
  name: participants.map(({ baseUrl }) => new URL(baseUrl).host).find(Boolean) ?? 'target',
  route,
  participants,
  clock: { kind: 'system', maxWaitMs: defaultMaxWaitMs },
  controls: {},
  orderDefaults: {},
  gaps: {},
  secrets: [],
});

/** Assigns a party of the cast to each address. */
export async function assignCast(
  urls: readonly PartyUrl[],
  route: Route,
  secrets?: Secrets,
): Promise<AssignedCast> {
  const taken = new Set(urls.flatMap(({ name }) => (name ? [name] : [])));
  const problems: RoleProblem[] = [];
  const participants: Participant[] = [];
  for (const { name, baseUrl } of urls) {
    const role = name ? cast[name] : await roleAt(baseUrl, route, secrets);
    if (typeof role === 'object') {
      problems.push(role);
      continue;
    }
    const part = name ?? castNames.find((one) => cast[one] === role && !taken.has(one));
    if (part === undefined) {
      const text = `${baseUrl} is one more ${role} than the cast has`;
      problems.push({ kind: 'misconfigured', text });
      continue;
    }
    taken.add(part);
    participants.push(participantAt(part, role, baseUrl, route));
  }
  const [first] = problems;
  if (first) return { ok: false, kind: first.kind, problems: problems.map(({ text }) => text) };
  const place = ({ name }: Participant): number => castNames.indexOf(name);
  return { ok: true, participants: participants.toSorted((a, b) => place(a) - place(b)) };
}

const participantAt = (name: CastName, role: Role, baseUrl: string, route: Route): Participant => ({
  name,
  role,
  baseUrl,
  token: { kind: 'own' },
  route,
  places: { name: nowhere, role: nowhere, baseUrl: nowhere, token: nowhere, keys: nowhere },
});

/** The role that a token result, whoami or the token itself names; asked for in any party's name. */
async function roleAt(
  baseUrl: string,
  route: Route,
  secrets?: Secrets,
): Promise<Role | RoleProblem> {
  const party = createParty({
    name: 'sender',
    role: cast.sender,
    transport: networkTransport(baseUrl, { route }),
    timeline: systemTimeline(systemClock()),
    recorder: createRecorder(secrets),
  });
  const { token, identity } = await party.reach();
  const claims = jwtPart(party.as('preflight').token, 'claims');
  await party.close();
  if (token?.error) {
    const text = `${baseUrl}: ${token.error.message}\n  hint: ${isItThere}`;
    return { kind: 'unreachable', text };
  }
  const named = [token && fieldsOf(token)['role'], fieldsOf(identity)['role'], claims?.['role']];
  const role = named.flatMap((name) => roles.filter((one) => one === name))[0];
  if (role) return role;
  const status = token?.response?.status;
  const text = `${baseUrl} does not tell its role: POST /auth/token answered ${status}; name it, as in sender=${baseUrl}`;
  return { kind: 'misconfigured', text };
}

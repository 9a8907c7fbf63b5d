import { networkTransport } from '../../client/http/network-transport.ts';
import { type CastName, cast, castNames } from '../../spec/requirements/requirement.ts';
import { type Role, roles } from '../../spec/vocabulary.ts';
import { type PartyUrl, freeCastName } from './party-url.ts';
import { isObject } from '../../protocol/json.ts';
import { defaultMaxWaitMs, type Participant, type TargetFile } from '../file/target-file.ts';
import { parseJson } from './helper-http.ts';
import { openRemote, type RemoteOptions } from './remote.ts';
import type { OpenResult } from '../opened-target.ts';

const nowhere = { line: 1, col: 1, width: 1 } as const;

export type AssignedCast =
  | { readonly ok: true; readonly participants: readonly Participant[] }
  | {
      readonly ok: false;
      readonly kind: 'unreachable' | 'misconfigured';
      readonly problems: readonly string[];
    };

/** Opens the parties behind some addresses; one without a name plays whom its token's role lets it play. */
export async function openUrls(
  urls: readonly PartyUrl[],
  options: RemoteOptions = {},
): Promise<OpenResult> {
  const found = await assignCast(urls);
  return found.ok ? openRemote(targetFileFor(found.participants), options) : found;
}

export const targetFileFor = (participants: readonly Participant[]): TargetFile => ({
  file: '--base-url',
  directory: '.',
  name: participants.map(({ baseUrl }) => new URL(baseUrl).host).find(Boolean) ?? 'target',
  participants,
  clock: { kind: 'system', maxWaitMs: defaultMaxWaitMs },
  controls: {},
  orderDefaults: {},
  gaps: {},
});

/** Who of the cast stands behind each address. */
export async function assignCast(urls: readonly PartyUrl[]): Promise<AssignedCast> {
  const taken = new Set(urls.flatMap(({ name }) => (name ? [name] : [])));
  const problems: { readonly kind: 'unreachable' | 'misconfigured'; readonly text: string }[] = [];
  const participants: Participant[] = [];
  for (const { name, baseUrl } of urls) {
    const role = name ? cast[name] : await roleAt(baseUrl);
    if (typeof role === 'object') {
      problems.push(role);
      continue;
    }
    const part = name ?? freeCastName(role, taken);
    if (part === undefined) {
      const text = `${baseUrl} is one more ${role} than the cast has`;
      problems.push({ kind: 'misconfigured', text });
      continue;
    }
    taken.add(part);
    participants.push(participantAt(part, role, baseUrl));
  }
  const [first] = problems;
  if (first) return { ok: false, kind: first.kind, problems: problems.map(({ text }) => text) };
  const place = ({ name }: Participant): number => castNames.indexOf(name);
  return { ok: true, participants: participants.toSorted((a, b) => place(a) - place(b)) };
}

const participantAt = (name: CastName, role: Role, baseUrl: string): Participant => ({
  name,
  role,
  baseUrl,
  token: { kind: 'own' },
  places: { name: nowhere, role: nowhere, baseUrl: nowhere, token: nowhere },
});

type RoleProblem = { readonly kind: 'unreachable' | 'misconfigured'; readonly text: string };

async function roleAt(baseUrl: string): Promise<Role | RoleProblem> {
  const transport = networkTransport(baseUrl);
  const headers = { accept: 'application/json' };
  const answer = await transport.request({ method: 'POST', path: '/auth/token', headers });
  await transport.close();
  if (answer.kind === 'error') {
    return { kind: 'unreachable', text: `${baseUrl}: ${answer.error.message}` };
  }
  const { status, bytes } = answer.response;
  const body = parseJson(new TextDecoder().decode(bytes));
  const data = isObject(body) && isObject(body['data']) ? body['data'] : {};
  const role = roles.find((one) => one === data['role']);
  if (role) return role;
  const text = `${baseUrl} does not tell its role: POST /auth/token answered ${status}; name it, as in sender=${baseUrl}`;
  return { kind: 'misconfigured', text };
}

import { randomBytes } from 'node:crypto';
import {
  type Behaviour,
  type HostileProxy,
  type ProxiedRequest,
  startHostileProxy,
} from '../hostile/proxy.ts';
import { startSmallBackend } from '../support/network/small-backend.ts';

/** A target that sends each of its secrets in every place and form. */
export interface LeakyTarget {
  readonly origin: string;
  /** By what it is. */
  readonly planted: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const fresh = (what: string): string => `${what}-${randomBytes(12).toString('base64url')}`;

/** Of the environment and of files. */
export const configured = {
  clientSecret: fresh('cl"ient&secret'),
  password: fresh('password'),
  signingSecret: fresh('signing-secret-of-thirty-two-bytes'),
  literalToken: fresh('literal-token'),
  controlKey: fresh('control-key'),
} as const;

const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64'),
  Buffer.from(`user:${secret}`).toString('base64'),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
];

/** Traces of a secret in a file. */
export const tracesOf = (secret: string): readonly string[] => [
  ...formsOf(secret),
  JSON.stringify(secret).slice(1, -1),
  secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
];

function answer({ response }: ProxiedRequest, status: number, body: unknown, more = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...more });
  response.end(JSON.stringify(body));
}

export async function startLeakyTarget(): Promise<LeakyTarget> {
  const behind = await startSmallBackend();
  const planted = new Map<string, string>(Object.entries(configured));
  /** The tokens of the backend, by those that it is said to have issued. */
  const issued = new Map<string, string>();
  for (const what of ['cookie', 'session', 'inBody', 'inHeader']) planted.set(what, fresh(what));
  const get = (what: string): string => planted.get(what) ?? '';

  const tokenOf = async (party: string): Promise<{ token: string }> => {
    const said = await fetch(`${behind.origin}/${party}/auth/token`, { method: 'POST' });
    return ((await said.json()) as { data: { token: string } }).data;
  };
  const plant = (jwt: string): void => {
    for (const part of jwt.split('.').slice(1)) planted.set(`part ${planted.size}`, part);
  };

  const leaks = (token: string) => ({
    [token]: 1,
    said: [...new Set([token, get('clientSecret')])].flatMap(formsOf).join(' '),
    sessionToken: get('session'),
    nested: [{ form: `a=1&password=${get('inBody')}`, apiKey: get('inHeader') }],
    again: [get('session'), get('inBody'), get('inHeader'), get('cookie')],
    long: `${'x'.repeat(380)}${token}`,
  });

  const behaviour: Behaviour = async (visit) => {
    const { party, path, headers, method, response } = visit;
    if (party === 'sso') {
      const { token: jwt } = await tokenOf('custodian-a');
      plant(jwt);
      return answer(visit, 200, { access_token: jwt, expires_in: 3600 });
    }
    if (path === '/auth/token') {
      const result = await tokenOf(party);
      const { token: jwt } = result;
      // Tokens of makers stay JWTs.
      const token = party.startsWith('mm') ? jwt : fresh('opaque-token');
      if (token === jwt) plant(jwt);
      else planted.set(token, token);
      issued.set(token, jwt);
      return answer(
        visit,
        200,
        { data: { ...result, token } },
        { 'set-cookie': `sid=${get('cookie')}; Path=/` },
      );
    }
    const token = (headers.authorization ?? '').replace(/^Bearer /, '');
    // A token that the suite signed with the key of the target.
    if (token.startsWith('ey') && !issued.has(token)) plant(token);
    headers.authorization = `Bearer ${issued.get(token) ?? token}`;
    if (path.endsWith('/events')) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-debug': token });
      const data = JSON.stringify({ intent_id: 'x', status: `BAD ${token}`, ...leaks(token) });
      response.write(`event: order_updated\nid: 1\ndata: ${data}\n\n`);
      return;
    }
    const { status, headers: said, body } = await visit.relay();
    if (!body.startsWith('{')) return void response.writeHead(status, said).end(body);
    const whole = JSON.parse(body) as Record<string, unknown>;
    const { data } = whole;
    const isNewOrder = method === 'POST' && path === '/api/v1/orders' && status < 300;
    const changed =
      typeof data === 'object' && !Array.isArray(data)
        ? { ...data, ...leaks(token), ...(isNewOrder && { status: `BAD ${token}` }) }
        : data;
    return answer(
      visit,
      status,
      { ...whole, ...(data !== undefined && { data: changed }), note: leaks(token) },
      {
        'x-api-key': get('inHeader'),
        'x-debug': token,
      },
    );
  };

  const front: HostileProxy = await startHostileProxy(behind.origin, behaviour);
  return {
    origin: front.origin,
    planted,
    async close() {
      await front.close();
      await behind.stop();
    },
  };
}

/** A target file of it; its secrets come from the environment. */
export const targetOf = (origin: string): string => `name: leaky
participants:
  sender: { role: institution, base_url: "${origin}/bank-a" }
  sender_custodian:
    role: custodian
    base_url: "${origin}/custodian-a"
    token:
      client_credentials:
        token_url: "${origin}/sso/token?api_key=${configured.controlKey}"
        client_id: me
        client_secret: { env: CLIENT_SECRET }
  maker_a: { role: market-maker, base_url: "${origin}/mm-1" }
clock: { kind: system, max_wait: 1s }
signing: { alg: HS256, private_key: { env: SIGNING_SECRET } }
`;

/** The same with secrets where they do not belong, and errors beside them. */
export const brokenTargets: Readonly<Record<string, string>> = {
  'literal.yaml': `name: x
participants:
  sender: { role: institution, base_url: "http://me:${configured.password}@127.0.0.1:1/", token: ${configured.literalToken} }
  maker_a:
    role: market-maker
    base_url: "http://127.0.0.1:1"
    token: { client_credentials: { token_url: "http://h/t", client_id: a, client_secret: '${configured.clientSecret}' } }
signing: { alg: HS256, secret: ${configured.signingSecret} }
`,
  'no-yaml.yaml': `name: x
participants:
  sender: { role: institution, base_url: "http://127.0.0.1:1", token: ${configured.literalToken}
  client_secret: "${configured.clientSecret.replace('"', '\\"')}" "oops": [
`,
  'env.yaml': `name: x
participants:
  sender: { role: institution, base_url: "http://127.0.0.1:1", token: { env: "${configured.literalToken}" } }
`,
};

/** A recording with secrets where browsers and proxies put them. */
export function harOf(origin: string, planted: ReadonlyMap<string, string>): string {
  const get = (what: string): string => planted.get(what) ?? '';
  const header = (name: string, value: string) => ({ name, value });
  const entry = (method: string, path: string, data: unknown) => ({
    startedDateTime: '2030-01-01T00:00:00.000Z',
    time: 1,
    request: {
      method,
      url: `${origin}/bank-a${path}?session=${get('session')}&ref=${get('inBody')}`,
      headers: [
        header('Authorization', `Bearer ${get('literalToken')}`),
        header('Cookie', `sid=${get('cookie')}`),
        header('X-Own', get('inHeader')),
      ],
    },
    response: {
      status: 200,
      headers: [header('content-type', 'application/json'), header('X-Tenant', get('inHeader'))],
      content: {
        text: JSON.stringify({ data, note: get('literalToken'), sessionToken: get('session') }),
      },
    },
  });
  const entries = [
    entry('GET', '/api/v1/whoami', { role: `BAD ${get('literalToken')}`, party_id: get('cookie') }),
    entry('GET', '/api/v1/orders/7b0f0c1e-9f5c-4a53-8f10-1f6d5d0a2c11', {
      intent_id: '7b0f0c1e-9f5c-4a53-8f10-1f6d5d0a2c11',
      status: get('literalToken'),
    }),
  ];
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'x' }, entries } });
}

import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import { createServer as createSocketServer, type Server } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { openRemote } from '../../src/target/remote/remote.ts';
import { certificates } from '../support/network/bank-network.ts';
import { listenOnLoopback } from '../support/network/gateway.ts';
import { targetOf } from '../support/network/served-reference.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), 'utf8');
const own = { key: pem('server.key'), cert: pem('server') };
const files: Readonly<Record<string, string>> = { 'ca.pem': certificates.ca };

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

const answering = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '{}',
): http.Server => http.createServer((_, response) => response.writeHead(status, headers).end(body));

/** Starts what may be reached wrongly; a path may follow its port. */
const at = async (server: Server): Promise<number> => {
  servers.push(server);
  return listenOnLoopback(server);
};

const secure = { ...own, ca: certificates.ca, requestCert: true, rejectUnauthorized: true };
const ca = 'tls: { ca: { file: ca.pem } }';
const named = 'tls: { ca: { file: ca.pem }, server_name: fx.bank.test }';

/** All that is said of two parties behind one address, without the lines of the file. */
async function said(
  address: string,
  more: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const text = `name: t
participants:
  sender:  { role: institution,  base_url: "${address}" }
  maker_a: { role: market-maker, base_url: "${address}" }
${more}
`;
  const readText = (path: string) => files[path.split('/').at(-1) ?? ''];
  const target = targetOf(text, { env, readText });
  const opening = await openRemote(target, { source: text, listening: false });
  if (opening.ok) throw new Error('it was reached');
  expect(opening.problems).toHaveLength(1);
  const shown = opening.problems[0] ?? '';
  return shown.replaceAll(/:\d{4,5}\b/g, ':PORT').replaceAll(/^(?: *\d* \|.*\n)/gm, '');
}

/** A name that no resolver is asked for: a label has at most 63 characters. */
const nowhere = `${'x'.repeat(64)}.invalid`;

const where = (address: string): string => `t.yaml:3:44: sender at ${address}: `;
const golden = (words: string): string => `${words}\n  the same for: maker_a`;

describe('each kind of error on the way to a backend is said once, with what helps', () => {
  it.each([
    [
      'an unknown authority',
      () => https.createServer(own),
      'https',
      '',
      `its certificate is of an authority that is not known here
  expected: a certificate of a public authority, or of one that the target file names
  hint: name the certificate of the authority: tls: { ca: { file: PATH } }`,
    ],
    [
      'a client certificate that is wanted',
      () => https.createServer(secure),
      'https',
      named,
      `it wants a certificate of the client
  expected: a client certificate that it knows
  hint: name it with its key: tls: { cert: { file: PATH }, key: { file: PATH } }`,
    ],
    [
      'another host name',
      () => https.createServer(own),
      'https',
      ca,
      `its certificate is not for 127.0.0.1
  expected: a certificate that names the host of base_url
  hint: if it is the right backend, name the host in its certificate: tls: { server_name: NAME }`,
    ],
    [
      'TLS on a plain port',
      () => answering(200),
      'https',
      '',
      `it does not speak TLS on this port
  expected: TLS, as base_url begins with https
  hint: base_url: "http://127.0.0.1:PORT"`,
    ],
    [
      'plain HTTP on a port of TLS that hangs up',
      () => https.createServer(own),
      'http',
      '',
      `POST /auth/token: other side closed
  expected: an answer over plain HTTP, as base_url begins with http
  hint: is the backend well? If this port speaks TLS: base_url: "https://127.0.0.1:PORT"`,
    ],
    [
      'plain HTTP on a port of TLS that sends an alert',
      () => createSocketServer((socket) => socket.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 0x0a]))),
      'http',
      '',
      `it speaks TLS on this port
  expected: plain HTTP, as base_url begins with http
  hint: base_url: "https://127.0.0.1:PORT"`,
    ],
    [
      'HTTP/2 only, with TLS',
      () => http2.createSecureServer(own),
      'https',
      named,
      `it speaks HTTP/2 only
  expected: HTTP/1.1, which the suite speaks (decision 39)
  hint: let the gateway in front of it speak HTTP/1.1 as well`,
    ],
    [
      'HTTP/2 only, without TLS',
      () => http2.createServer(),
      'http',
      '',
      `it speaks HTTP/2 only
  expected: HTTP/1.1, which the suite speaks (decision 39)
  hint: let the gateway in front of it speak HTTP/1.1 as well`,
    ],
    [
      'an unknown content encoding',
      () => answering(200, { 'content-encoding': 'zstd' }),
      'http',
      '',
      `it encodes its answers in a way that is not known here
  expected: content-encoding gzip, deflate or br, or none
  hint: no request asks for an encoding: switch it off for requests without accept-encoding`,
    ],
    [
      'a redirect to https',
      () => answering(301, { location: 'https://fx.bank.test/auth/token' }),
      'http',
      '',
      `POST /auth/token answered 301, a redirect to https://fx.bank.test/auth/token
  expected: the address that it leads to
  hint: base_url: "https://fx.bank.test"`,
    ],
    [
      'a redirect to a path with a slash at its end',
      () => answering(308, { location: '/auth/token/' }),
      'http',
      '',
      `POST /auth/token answered 308, a redirect to /auth/token/
  expected: the address that it leads to
  hint: it wants a slash at the end of paths, which part 4 has without`,
    ],
    [
      'a redirect to a login',
      () => answering(302, { location: 'https://login.bank.test/start?for=fx' }),
      'http',
      '',
      `POST /auth/token answered 302, a redirect to https://login.bank.test/start?for=fx
  expected: the address that it leads to
  hint: is a login in front of it? Name what it wants by headers: or tls:`,
    ],
    [
      'a 403 of a gateway',
      () =>
        answering(403, { 'content-type': 'text/html' }, `<h1>Forbidden</h1>\n${'.'.repeat(400)}`),
      'http',
      '',
      `POST /auth/token answered 403: <h1>Forbidden</h1> ${'.'.repeat(281)}
  expected: an answer of the backend; this one is of something in front of it
  hint: name what it wants by headers: or tls:`,
    ],
  ])('%s', async (_, start, scheme, more, words) => {
    const address = `${scheme}://127.0.0.1:${await at(start())}`;
    expect(await said(address, more)).toBe(
      golden(where(address.replace(/:\d+$/, ':PORT')) + words),
    );
  });

  it('the prefix of paths within base_url', async () => {
    const origin = `http://127.0.0.1:${await at(answering(404))}`;
    for (const prefix of ['/api/v1', '/api']) {
      expect(await said(`${origin}/fx${prefix}`, '')).toBe(
        golden(`${where(`http://127.0.0.1:PORT/fx${prefix}`)}POST /auth/token answered 404, and base_url holds ${prefix === '/api' ? '/api' : '/api/v1'}
  expected: an address without the prefix /api/v1, which the paths of part 4 have
  hint: base_url: "http://127.0.0.1:PORT/fx"`),
      );
    }
  });

  it.each([
    [
      'a proxy variable is set, and not for it',
      '',
      { HTTPS_PROXY: 'http://proxy.invalid:3128', NO_PROXY: '.invalid' },
      `HTTPS_PROXY is set, and no proxy is used for ${nowhere}: see NO_PROXY, or say proxy: ADDRESS`,
    ],
    ['no proxy is used', 'proxy: none', {}, 'no proxy is used: say proxy: ADDRESS if there is one'],
    ['no proxy is known', '', {}, 'is the host of base_url right?'],
  ])('a name that is not found while %s', async (_, more, env, hint) => {
    expect(await said(`https://${nowhere}`, more, env)).toBe(
      golden(`${where(`https://${nowhere}`)}the name ${nowhere} is not known
  expected: a host that this machine, or the proxy, can resolve
  hint: ${hint}`),
    );
  });
});

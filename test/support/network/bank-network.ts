import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { jwtVerify } from 'jose';
import { closeServer, listenOnLoopback, passOn, type Refusal } from './gateway.ts';

const certificate = (name: string): string =>
  readFileSync(new URL(`../../network/certificates/${name}.pem`, import.meta.url), 'utf8');

/** Certificates of a private authority: of the gateway `fx.bank.test`, and of a client. */
export const certificates = {
  ca: certificate('ca'),
  client: certificate('client'),
  clientKey: certificate('client.key'),
} as const;

/** No name server knows this host: only the proxy of the network does. */
export const gatewayHost = 'fx.bank.test';
export const gatewayKey = 'a-key-of-the-gateway-7f31';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** Shows the authorization server who asks. */
export const assertionKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Gives the token of the party that an assertion names, as its backend issues it. */
async function authorize(
  request: IncomingMessage,
  response: ServerResponse,
  backend: string,
): Promise<void> {
  let form = '';
  for await (const chunk of request) form += String(chunk);
  const assertion = new URLSearchParams(form).get('client_assertion') ?? '';
  const answer = (status: number, body: unknown): void =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));
  try {
    const { payload } = await jwtVerify(assertion, publicKey, { requiredClaims: ['jti', 'aud'] });
    const issued = await fetch(`${backend}/${payload.sub}/auth/token`, { method: 'POST' });
    const { data } = (await issued.json()) as { data: { token: string; expires_in: number } };
    answer(200, { access_token: data.token, expires_in: data.expires_in });
  } catch {
    answer(401, { error: 'invalid_client' });
  }
}

export interface BankNetwork {
  /** The gateway as the proxy knows it, without a path. */
  readonly gateway: string;
  /** The same port on loopback, for clients without the proxy. */
  readonly port: number;
  readonly proxy: string;
  /** Requests that came through the proxy's tunnels. */
  readonly tunnels: () => number;
  close(): Promise<void>;
}

/** Wants the key of the gateway. */
const withoutKey = ({ headers }: IncomingMessage): Refusal | undefined =>
  headers['x-api-key'] === gatewayKey
    ? undefined
    : {
        status: 403,
        type: 'text/html',
        body: '<h1>Forbidden</h1> The gateway wants the header x-api-key.',
      };

/**
 * A gateway before a backend and an authorization server, behind a proxy: TLS of a private
 * authority, a client certificate, a key in a header, and a name that only the proxy resolves.
 */
export async function bankNetwork(backend: string): Promise<BankNetwork> {
  const onward = passOn(backend, withoutKey);
  const gateway = https.createServer(
    {
      key: certificate('server.key'),
      cert: certificate('server'),
      ca: certificates.ca,
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) =>
      request.url === '/oauth/token'
        ? void authorize(request, response, backend)
        : onward(request, response),
  );
  const port = await listenOnLoopback(gateway);
  let tunnels = 0;
  const open = new Set<Duplex>();
  const proxy = http.createServer((_, response) => response.writeHead(405).end());
  proxy.on('connect', (request: IncomingMessage, socket: Duplex) => {
    if (request.url !== `${gatewayHost}:${port}`) {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    tunnels += 1;
    const reached = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(reached).pipe(socket);
    });
    for (const one of [socket, reached]) {
      open.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          socket.destroy();
          reached.destroy();
        });
    }
  });
  const proxyPort = await listenOnLoopback(proxy);
  return {
    gateway: `https://${gatewayHost}:${port}`,
    port,
    proxy: `http://127.0.0.1:${proxyPort}`,
    tunnels: () => tunnels,
    async close() {
      for (const socket of open) socket.destroy();
      for (const server of [gateway, proxy]) await closeServer(server);
    },
  };
}

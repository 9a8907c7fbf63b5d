import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
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
 * A gateway in front of a backend, behind a proxy: TLS of a private authority, a client certificate, a header with a key,
 * and a name that only the proxy resolves.
 */
export async function bankNetwork(backend: string): Promise<BankNetwork> {
  const gateway = https.createServer(
    {
      key: certificate('server.key'),
      cert: certificate('server'),
      ca: certificates.ca,
      requestCert: true,
      rejectUnauthorized: true,
    },
    passOn(backend, withoutKey),
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
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const one of [socket, onward]) {
      open.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          socket.destroy();
          onward.destroy();
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

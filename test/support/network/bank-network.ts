import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { Duplex } from 'node:stream';

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

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Passes a request on to the backend, if it has the key of the gateway. */
function passOn(backend: URL) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers['x-api-key'] !== gatewayKey) {
      response.writeHead(403, { 'content-type': 'text/html' });
      response.end('<h1>Forbidden</h1> The gateway wants the header x-api-key.');
      return;
    }
    const { method, url, headers } = request;
    const { hostname, port } = backend;
    const onward = http.request({ hostname, port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      // The headers of an event stream must not wait for its first event.
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };
}

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
    passOn(new URL(backend)),
  );
  const port = await listen(gateway);
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
  const proxyPort = await listen(proxy);
  return {
    gateway: `https://${gatewayHost}:${port}`,
    port,
    proxy: `http://127.0.0.1:${proxyPort}`,
    tunnels: () => tunnels,
    async close() {
      for (const socket of open) socket.destroy();
      for (const server of [gateway, proxy]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

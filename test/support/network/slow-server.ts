import type { IncomingMessage, Server, ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Has a server take up each request so many milliseconds of host time after it came.
 * @param delayMs for each of them
 */
export function delayRequests(server: Server, delayMs: (request: IncomingMessage) => number): void {
  const handlers = server.listeners('request') as Handler[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const handle = (): void => {
      for (const one of handlers) one.call(server, request, response);
    };
    const ms = delayMs(request);
    if (ms > 0) setTimeout(handle, ms);
    else handle();
  });
}

// Preloaded into a served reference: tells its parent, when asked, which requests came since it was last asked.
import { subscribe } from 'node:diagnostics_channel';

let seen = [];
subscribe('http.server.request.start', ({ request }) => {
  seen.push(`${request.method} ${request.url}`);
});
process.on('message', () => {
  process.send(seen);
  seen = [];
});

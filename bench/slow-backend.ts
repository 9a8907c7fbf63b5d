/** `node --import tsx bench/slow-backend.ts TARGET_FILE ANSWER_MS CLOCK_MS`: a reference that answers late, its clock driven. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildServer } from '../src/reference/http/index.ts';
import { createReference, referenceStartMs } from '../src/target/embedded/create-reference.ts';
import { referenceTargetFile } from '../src/target/file/served-reference.ts';
import { virtualClock } from '../src/timeline/clock/virtual-clock.ts';
import { delayRequests } from '../test/support/network/slow-server.ts';

const [path = '', answerMs = '0', clockMs = '0'] = process.argv.slice(2);
const server = buildServer(createReference({ clock: virtualClock(referenceStartMs), seed: 1n }));
const asked = { calls: 0, clock: 0, now: 0, most: 0 };
delayRequests(server.app.server, ({ url = '' }) => {
  const isClock = url.startsWith('/_sim/');
  asked[isClock ? 'clock' : 'calls'] += 1;
  return Number(isClock ? clockMs : answerMs);
});
const addresses = await server.serve({ port: 0 });
const { keys } = server.tokens;
const keyFile = 'slow-backend.key.json';
writeFileSync(join(dirname(path), keyFile), JSON.stringify(keys.signing.export({ format: 'jwk' })));
const signing = { alg: keys.alg, keyFile };
process.on('SIGUSR2', () => console.log(JSON.stringify(asked)));
server.app.server.on('request', (_, response) => { asked.now += 1; asked.most = Math.max(asked.most, asked.now); if (process.env['DBG']) console.log(performance.now() | 0, asked.now, _.method, _.url); response.on('close', () => { asked.now -= 1; }); });
writeFileSync(path, referenceTargetFile({ addresses, clock: 'virtual', signing }));

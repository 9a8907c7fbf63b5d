/** `slow-backend.ts TARGET_FILE ANSWER_MS CLOCK_MS`: a reference whose clock is driven and that takes its time to answer. */
import { writeFileSync } from 'node:fs';
import { buildServer } from '../src/reference/http/index.ts';
import { checkStartMs, createReference } from '../src/target/embedded/create-reference.ts';
import { referenceTargetFile } from '../src/target/file/served-reference.ts';
import { virtualClock } from '../src/timeline/clock/virtual-clock.ts';
import { delayRequests } from '../test/support/network/slow-server.ts';

const [path = '', answerMs = '0', clockMs = '0'] = process.argv.slice(2);
const server = buildServer(createReference({ clock: virtualClock(checkStartMs), seed: 1n }));
delayRequests(server.app.server, ({ url = '' }) =>
  Number(url.startsWith('/_sim/') ? clockMs : answerMs),
);
const addresses = await server.serve({ port: 0 });
const { alg, signing } = server.tokens.keys;
writeFileSync(`${path}.key`, JSON.stringify(signing.export({ format: 'jwk' })));
const key = { alg, keyFile: `${path}.key` };
writeFileSync(path, referenceTargetFile({ addresses, clock: 'virtual', signing: key }));

import { benchCore } from './core.ts';
import { benchHttp } from './http.ts';
import { benchJournal } from './journal.ts';
import { benchPlay } from './play.ts';
import { benchProxy } from './proxy.ts';
import { benchSimulation } from './simulation.ts';
import { benchStart } from './start.ts';
import { benchSuite } from './suite.ts';
import { benchTenRequests } from './ten-requests.ts';
import type { Row } from './row.ts';

interface Section {
  readonly title: string;
  readonly run: () => Promise<readonly Row[]>;
}

const sections: Readonly<Record<string, Section>> = {
  start: { title: 'The command line', run: benchStart },
  flow: {
    title: 'A flow of ten requests, as whole processes, side by side',
    run: benchTenRequests,
  },
  scenarios: { title: 'Scenarios', run: benchPlay },
  http: {
    title: 'The reference over HTTP, beside a bare Fastify route with the same bytes',
    run: benchHttp,
  },
  proxy: { title: 'Through assay proxy, beside direct calls', run: benchProxy },
  journal: { title: 'Writes over HTTP, with and without a journal', run: benchJournal },
  core: { title: 'The core', run: benchCore },
  simulation: { title: 'Worlds', run: benchSimulation },
  suite: { title: 'The whole suite, as whole processes', run: benchSuite },
};

/** `npm run bench -- flow core` runs those alone. */
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !sections[name]);
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: none of ${Object.keys(sections).join(', ')}`);
  process.exit(2);
}

const width = 64;
for (const [name, { title, run }] of Object.entries(sections)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${title}`);
  for (const { name: what, value, unit, aim } of await run()) {
    const figure = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
    console.log(`  ${what.padEnd(width)} ${figure.padStart(9)} ${unit}${aim && `   (aim ${aim})`}`);
  }
}

import { benchCore } from './core.ts';
import { benchHttp } from './http.ts';
import { benchPlay } from './play.ts';
import { benchStart } from './start.ts';
import type { Row } from './row.ts';

const sections: readonly (readonly [title: string, run: () => Promise<readonly Row[]>])[] = [
  ['The command line', benchStart],
  ['Scenarios', benchPlay],
  ['The reference over HTTP, beside a bare Fastify route with the same bytes', benchHttp],
  ['The core', benchCore],
];

const width = 64;
for (const [title, run] of sections) {
  console.log(`\n${title}`);
  for (const { name, value, unit, aim } of await run()) {
    const figure = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
    console.log(`  ${name.padEnd(width)} ${figure.padStart(9)} ${unit}${aim && `   (aim ${aim})`}`);
  }
}

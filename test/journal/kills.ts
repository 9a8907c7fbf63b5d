import { parseArgs } from 'node:util';
import { parseSeed } from '../../src/random/seed.ts';
import { runKills } from './kills/run-kills.ts';

/** `node --import tsx test/journal/kills.ts --kills 1000 --seed 1`, after `npm run build`. */
const { values } = parseArgs({
  options: { kills: { type: 'string' }, seed: { type: 'string' }, clients: { type: 'string' } },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const began = performance.now();
const report = await runKills({
  kills: Number(values.kills ?? 100),
  seed: parseSeed(values.seed ?? '1') ?? 1n,
  clients: Number(values.clients ?? 8),
  onLine: say,
});
const { differences, findings, ...counts } = report;
const of = (kind: string): number => differences.filter((one) => one.kind === kind).length;
say(JSON.stringify({ ...counts, seconds: Math.round((performance.now() - began) / 1000) }));
say(
  `acknowledged writes lost: ${of('lost')}, invented: ${of('invented')}, other: ${of('other')}, findings: ${findings.length}`,
);
for (const { kind, what } of differences.slice(0, 20)) say(`  ${kind}: ${what}`);
for (const finding of findings.slice(0, 20)) say(`  ${finding}`);
process.exitCode = differences.length + findings.length === 0 ? 0 : 1;

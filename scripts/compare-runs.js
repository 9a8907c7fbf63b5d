// Holds two runs of the embedded reference, made on two versions of Node, to be the same byte for byte:
// `node scripts/compare-runs.js DIR DIR`. The host's times in report.json are left out, nothing else.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [one, other] = process.argv.slice(2);
const timeless = (dir) => {
  const report = JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8'));
  const { started_at: _started, finished_at: _finished, wall_ms: _wall, ...run } = report.run;
  return JSON.stringify({ ...report, run });
};
const history = (dir) => readFileSync(join(dir, 'history.jsonl'), 'utf8');

const differing = [
  ...(history(one) === history(other) ? [] : ['history.jsonl']),
  ...(timeless(one) === timeless(other) ? [] : ['report.json']),
];
const records = history(one).split('\n').length - 1;
if (differing.length > 0) {
  console.error(`${one} and ${other} differ in ${differing.join(' and ')}`);
  process.exit(1);
}
console.log(`${one} and ${other} are the same: ${records} records`);

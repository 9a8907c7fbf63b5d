/** `node --import tsx test/peer/run.ts DIALECT [DEFECT] [host|hand]`: serves a peer and prints its target file. */
import { type Defect, defects } from './defects.ts';
import { type DialectName, dialects } from './dialect.ts';
import type { Neighbours } from './neighbours.ts';
import { startPeer } from './server.ts';
import { targetFile } from './target-file.ts';

const [name = 'harbour', defect = 'none', clock = 'host', old = '0', who = 'none'] =
  process.argv.slice(2);
const dialect = dialects[name as DialectName];
if (!dialect || !defects.includes(defect as Defect)) {
  console.error(
    `usage: run.ts ${Object.keys(dialects).join('|')} [${defects.join('|')}] [host|hand] [old orders] [neighbours]`,
  );
  process.exit(2);
}
const peer = await startPeer({
  dialect,
  defect: defect as Defect,
  clock: clock === 'hand' ? 'hand' : 'host',
  oldOrders: Number(old),
  neighbours: who as Neighbours,
});
console.log(targetFile(peer, `${name}-${defect}`, clock === 'hand' ? 'hand' : 'host'));

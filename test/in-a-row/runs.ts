import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from '../cli/command-here.ts';
import { type DialectName, dialects } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';

/** Backends that nobody here wrote the suite for: one that refuses what it may, one that takes what comes. */
export const backends = ['citadel', 'meadow'] as const satisfies readonly DialectName[];

/** What a command came to: its exit code, and what it says where that is another than was looked for. */
export interface Run {
  readonly line: string;
  readonly code: number | null;
  readonly said: string;
}

/** Commands one after the other against one process of a correct backend, each as somebody would start it. */
export async function runInARow(
  name: DialectName,
  lines: readonly string[],
  oldOrders = 0,
): Promise<readonly Run[]> {
  const peer = await startPeer({ dialect: dialects[name], clock: 'hand', oldOrders });
  const directory = mkdtempSync(join(tmpdir(), 'assay-in-a-row-'));
  try {
    // Scenarios make up whom they pay, and a strict house knows no such party.
    const known = 'orders: { defaults: { receiver_party_id: "Sudbank::34cd" } }\n';
    const text = targetFile(peer, name, 'hand') + (dialects[name].knownParties ? known : '');
    writeFileSync(join(directory, 'target.yaml'), text);
    copyFileSync('scenarios/happy/institution.yaml', join(directory, 'trade.yaml'));
    const runs: Run[] = [];
    for (const line of lines) {
      const words = [...line.split(' '), '--target', 'target.yaml'];
      const { code, out, err } = await runHere(words, directory);
      runs.push({ line, code, said: out + err });
    }
    return runs;
  } finally {
    rmSync(directory, { recursive: true });
    await peer.close();
  }
}

/** Each command of the README and of docs that takes a target, on little. */
export const commands = [
  'probe',
  'check --only order.quotes.empty',
  'check --only order.life.* --max-wait 10m',
  'replay order.quotes.empty',
  'replay order.cancel.pending --explain',
  'play trade.yaml',
  'simulate --seeds 2 --steps 10',
] as const;

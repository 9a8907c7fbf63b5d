import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from '../cli/command-here.ts';
import { run } from '../cli/shipped-command.ts';
import { type DialectName, dialects } from '../peer/dialect.ts';
import type { Neighbours } from '../peer/neighbours.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';

/** Backends that the suite was not written for: one strict, one lenient. */
export const backends = ['citadel', 'meadow'] as const satisfies readonly DialectName[];

export interface Run {
  readonly line: string;
  readonly code: number | null;
  readonly said: string;
  readonly seconds: number;
}

export interface PeerOptions {
  readonly oldOrders?: number;
  readonly neighbours?: Neighbours;
  /** Parties that the target file leaves out. */
  readonly without?: readonly string[];
}

/** Runs commands in a row against one process of a correct backend. */
export async function runInARow(
  name: DialectName,
  lines: readonly string[],
  { oldOrders = 0, neighbours = 'none', without = [] }: PeerOptions = {},
): Promise<readonly Run[]> {
  const peer = await startPeer({ dialect: dialects[name], clock: 'hand', oldOrders, neighbours });
  const directory = mkdtempSync(join(tmpdir(), 'assay-in-a-row-'));
  try {
    const text = targetFile(peer, name, 'hand', { without });
    writeFileSync(join(directory, 'target.yaml'), text);
    copyFileSync('scenarios/happy/institution.yaml', join(directory, 'trade.yaml'));
    const runs: Run[] = [];
    for (const line of lines) {
      const words = [...line.split(' '), '--target', 'target.yaml'];
      // A campaign is named by the built code of its worlds.
      const command = line.startsWith('simulate') ? run : runHere;
      const began = performance.now();
      const { code, out, err } = await command(words, directory);
      runs.push({ line, code, said: out + err, seconds: (performance.now() - began) / 1_000 });
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
  'replay order.quotes.empty',
  'play trade.yaml',
  'simulate --seeds 2 --steps 10',
] as const;

export const twice = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => [line, line]);

export const codesOf = (runs: readonly Run[]): readonly string[] =>
  runs.map(({ line, code }) => `${code} ${line}`);

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, type Row } from './row.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const entry = at('../bin/assay.js');
const root = at('..');
const rounds = 11;

/** Whole processes: their wall time, in milliseconds. */
function millisecondsOf(args: readonly string[]): number {
  const before = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - before;
}

/** The reference as it is shipped, on a free port. */
async function served(): Promise<{ readonly origin: string; readonly server: ChildProcess }> {
  const server = spawn(process.execPath, [entry, 'serve', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for (;;) {
    const [piece] = (await once(server.stdout, 'data')) as [Buffer];
    said += piece.toString('utf8');
    const origin = /(http:\/\/127\.0\.0\.1:\d+)\/bank-a/.exec(said)?.[1];
    if (origin !== undefined && said.includes('/mm-1')) return { origin, server };
  }
}

const targetFile = (origin: string): string => `name: local
participants:
  sender: { role: institution, base_url: "${origin}/bank-a" }
  maker_a: { role: market-maker, base_url: "${origin}/mm-1" }
gaps: { proposal.effect: none, quote.target_amount: target }
orders:
  defaults: { sender_custodian_party_id: "Custodian::12", receiver_custodian_party_id: "Other::12" }
`;

/** A flow of ten requests as a scenario beside a bare script, and the whole library on the embedded reference. */
export async function benchPlay(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const { origin, server } = await served();
  try {
    const target = join(folder, 'target.yaml');
    writeFileSync(target, targetFile(origin));
    const play = [entry, 'play', 'bench/flow/ten-requests.yaml', '--target', target];
    const bare = [at('./flow/bare.mjs'), origin];
    const pairs = Array.from({ length: rounds }, () => ({
      bare: millisecondsOf(bare),
      play: millisecondsOf(play),
    }));
    const library = Array.from(
      { length: 3 },
      () => millisecondsOf([entry, 'play', 'scenarios']) / 1_000,
    );
    return [
      {
        name: 'ten requests as a scenario, whole process',
        value: median(pairs.map((one) => one.play / one.bare)),
        unit: 'x a bare fetch script',
        aim: '<= 1.5',
      },
      {
        name: 'the bare fetch script, whole process',
        value: median(pairs.map((one) => one.bare)),
        unit: 'ms',
        aim: '',
      },
      {
        name: 'all of scenarios/ on the embedded reference',
        value: median(library),
        unit: 's',
        aim: '<= 3',
      },
    ];
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

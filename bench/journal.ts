import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { entry } from './process.ts';
import { median, type Row } from './row.ts';

const connections = 256;
const writesInBatch = 2000;
const warmUps = 2;
const batches = 7;

interface Written {
  readonly child: ChildProcess;
  readonly pool: Pool;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (contract: number) => string;
}

/** Rate of orders created over many HTTP connections, with and without a journal in turns. */
export async function benchJournal(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const kept = await begin(['--journal', join(directory, 'journal')]);
  const plain = await begin([]);
  try {
    const seconds = { kept: [] as number[], plain: [] as number[] };
    const before = { kept: 0, plain: 0 };
    for (let batch = 0; batch < warmUps + batches; batch += 1) {
      if (batch === warmUps) {
        before.kept = cpuTicksOf(kept.child);
        before.plain = cpuTicksOf(plain.child);
      }
      // In turns, and each first every other time: whatever else the machine does falls on both alike.
      const order = batch % 2 === 0 ? (['kept', 'plain'] as const) : (['plain', 'kept'] as const);
      for (const which of order) {
        const took = await write(which === 'kept' ? kept : plain, batch);
        if (batch >= warmUps) seconds[which].push(took);
      }
    }
    const rate = (took: readonly number[]): number => writesInBatch / median(took);
    const [with_, without] = [rate(seconds.kept), rate(seconds.plain)];
    const ratios = seconds.kept.map((took, at) => (seconds.plain[at] ?? Number.NaN) / took);
    const cpu = (cpuTicksOf(kept.child) - before.kept) / (cpuTicksOf(plain.child) - before.plain);
    return [
      {
        name: `writes a second with a journal, ${connections} connections`,
        value: median(ratios),
        unit: `x without (${Math.round(with_)} against ${Math.round(without)})`,
        aim: '>= 0.85',
      },
      {
        name: 'CPU of the server a write with a journal',
        value: cpu,
        unit: 'x without',
        aim: '',
      },
    ];
  } finally {
    for (const { child, pool } of [kept, plain]) {
      await pool.destroy();
      child.kill();
    }
    rmSync(directory, { recursive: true, force: true });
  }
}

async function begin(words: readonly string[]): Promise<Written> {
  const child = spawn(process.execPath, [entry, 'serve', '--port', '0', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  // Read to its end: a server whose output nobody takes any more would fail at its next line.
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (piece) => {
      said += String(piece);
      if (said.includes('/_sim/faults\n')) resolve();
    });
    child.on('close', () => resolve());
  });
  const origin = /(http:\/\/127\.0\.0\.1:\d+)\/bank-a/.exec(said)?.[1];
  if (origin === undefined) throw new Error(`assay serve ended: ${said}`);
  const token = async (prefix: string) => {
    const answer = await fetch(`${origin}/${prefix}/auth/token`, { method: 'POST' });
    const { data } = (await answer.json()) as { readonly data: Record<string, string> };
    return { token: data['token'] ?? '', partyId: data['canton_party_id'] ?? '' };
  };
  const [sender, one, other] = [
    await token('bank-a'),
    await token('custodian-a'),
    await token('custodian-b'),
  ];
  return {
    child,
    pool: new Pool(origin, { connections }),
    headers: { authorization: `Bearer ${sender.token}`, 'content-type': 'application/json' },
    body: (contract) =>
      JSON.stringify({
        sender_custodian_party_id: one.partyId,
        intent_signature: 'ab12',
        receiver_party_id: 'Receiver::1234',
        receiver_custodian_party_id: other.partyId,
        source_contract_id: `00ff#${contract}`,
        source_currency: 'USD',
        target_amount: '1000.00',
        target_currency: 'EUR',
        source_amount_max: '1200.00',
        memo: 'bench',
      }),
  };
}

/** Seconds for a batch of orders. */
async function write({ pool, headers, body }: Written, batch: number): Promise<number> {
  let sent = 0;
  const before = performance.now();
  const worker = async (): Promise<void> => {
    while (sent < writesInBatch) {
      sent += 1;
      const contract = batch * writesInBatch + sent;
      const answer = await pool.request({
        method: 'POST',
        path: '/bank-a/api/v1/orders',
        headers,
        body: body(contract),
      });
      if (answer.statusCode !== 201) throw new Error(await answer.body.text());
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return (performance.now() - before) / 1000;
}

/** Processor time of a process so far, in ticks; NaN where the system does not tell. */
function cpuTicksOf({ pid }: ChildProcess): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return Number.NaN;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { name, value, unit, aim } of await benchJournal())
    console.log(`${name}: ${value.toFixed(2)} ${unit}, aim ${aim}`);

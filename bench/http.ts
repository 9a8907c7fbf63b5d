import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { bundled } from './bundled.ts';
import type { Case, Ready } from './http-backends.ts';
import { median, type Row } from './row.ts';

const aims: Readonly<Record<string, string>> = {
  'authenticated GET of an order': '<= 1.3',
  'quote submission': '<= 2',
  'page of 20 orders': '<= 1.3',
};

/** Ratios of CPU time a request. */
export async function benchHttp(): Promise<Row[]> {
  const child = fork(await bundled('http-backends'), { execArgv: [] });
  const [ready] = (await once(child, 'message')) as [Ready];
  const reference = new Pool(`http://127.0.0.1:${ready.reference}`, { connections: 32 });
  const bare = new Pool(`http://127.0.0.1:${ready.bare}`, { connections: 32 });
  const rows: Row[] = [];
  // A client that sleeps has to be woken by whoever answers it, which costs the slower of the two more.
  let awake = true;
  const spin = (): void => void (awake && setImmediate(spin));
  spin();
  for (const one of ready.cases) {
    // Interleaved, so that whatever else the machine does falls on both alike.
    const found: { ours: number; theirs: number }[] = [];
    for (let batch = 0; batch < 14; batch += 1) {
      const theirs = await cpuOf(child, bare, one);
      const ours = await cpuOf(child, reference, one);
      if (batch >= 4) found.push({ ours, theirs });
    }
    const value = median(found.map(({ ours, theirs }) => ours / theirs));
    const [us, them] = [median(found.map((f) => f.ours)), median(found.map((f) => f.theirs))];
    const unit = `x bare Fastify (${us.toFixed(1)} against ${them.toFixed(1)} µs of CPU)`;
    rows.push({ name: one.name, value, unit, aim: aims[one.name] ?? '' });
  }
  awake = false;
  await Promise.all([reference.close(), bare.close()]);
  child.kill();
  return rows;
}

/** Microseconds of CPU that the backends' process spends on one request. */
async function cpuOf(child: ChildProcess, pool: Pool, one: Case): Promise<number> {
  const requests = 1500;
  let sent = 0;
  const before = await usage(child);
  const worker = async (): Promise<void> => {
    while (sent < requests) {
      const path = one.paths[(sent += 1) % one.paths.length] ?? '/';
      const answer = await pool.request({
        method: one.method,
        path,
        headers: {
          authorization: `Bearer ${one.token}`,
          ...(one.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(one.body !== undefined && { body: one.body }),
      });
      if (answer.statusCode >= 300) throw new Error(await answer.body.text());
      await answer.body.dump();
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  return ((await usage(child)) - before) / requests;
}

async function usage(child: ChildProcess): Promise<number> {
  child.send('usage');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { name, value, unit, aim } of await benchHttp())
    console.log(`${name}: ${value.toFixed(2)} ${unit}, aim ${aim}`);

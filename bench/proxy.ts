import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { draftTarget, systemClockSection } from '../src/target/file/draft-target-file.ts';
import { entry } from './process.ts';
import { median, type Row } from './row.ts';
import { served } from './served.ts';

const [warmUps, pairs] = [300, 2_000];

interface Answered {
  readonly ms: number;
  readonly text: string;
}

/** One request over a connection that is kept, from its sending to the last byte of its answer. */
const timed = (agent: Agent, url: string, token: string, method = 'GET'): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    request(url, { agent, method, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .on('end', () => resolve({ ms: performance.now() - began, text }));
    })
      .on('error', reject)
      .end();
  });

/** `assay proxy` before a served reference; answers its base URL, and how to stop it. */
async function proxied(backend: string, folder: string) {
  writeFileSync(
    join(folder, 'target.yaml'),
    draftTarget({
      name: 'bench',
      participants: [{ name: 'sender', role: 'institution', baseUrl: backend }],
      sections: [systemClockSection],
    }),
  );
  const args = [entry, 'proxy', '--target', 'target.yaml', '--port', '0', '--json'];
  const proxy = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const piece of proxy.stdout) {
    said += String(piece);
    const [line, more] = said.split('\n');
    if (line === undefined || more === undefined) continue;
    const { parties } = JSON.parse(line) as { parties: { sender: string } };
    return { baseUrl: parties.sender, stop: () => void proxy.kill() };
  }
  throw new Error(`assay proxy ended: ${said}`);
}

/** The same request to a backend and through the proxy before it, by turns. */
export async function benchProxy(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const backend = await served();
  const direct = `${backend.origin}/bank-a`;
  const proxy = await proxied(direct, folder);
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  try {
    const { text } = await timed(agents[0], `${direct}/auth/token`, '', 'POST');
    const { token } = (JSON.parse(text) as { data: { token: string } }).data;
    const path = '/api/v1/whoami';
    const times: [number, number][] = [];
    for (let round = 0; round < warmUps + pairs; round += 1) {
      const ask = (through: 0 | 1) =>
        timed(agents[through], `${through === 0 ? direct : proxy.baseUrl}${path}`, token);
      // By turns first, so that neither gains by its place.
      const first = round % 2 === 0 ? await ask(0) : await ask(1);
      const second = round % 2 === 0 ? await ask(1) : await ask(0);
      if (round < warmUps) continue;
      times.push(round % 2 === 0 ? [first.ms, second.ms] : [second.ms, first.ms]);
    }
    const [alone, through] = [median(times.map(([ms]) => ms)), median(times.map(([, ms]) => ms))];
    return [
      { name: 'a request, direct: median', value: alone, unit: 'ms', aim: '' },
      { name: 'the same through assay proxy: median', value: through, unit: 'ms', aim: '' },
      {
        name: 'what the proxy adds at the median',
        value: through - alone,
        unit: 'ms',
        aim: '<= 1',
      },
      {
        name: 'median of the differences of each pair',
        value: median(times.map(([a, b]) => b - a)),
        unit: 'ms',
        aim: '<= 1',
      },
      {
        name: 'through the proxy, as a multiple of direct',
        value: through / alone,
        unit: 'x',
        aim: '',
      },
    ];
  } finally {
    for (const agent of agents) agent.destroy();
    proxy.stop();
    backend.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

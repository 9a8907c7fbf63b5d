import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { at, entry, millisecondsOf } from './process.ts';
import { median, type Row } from './row.ts';
import { type Served, served } from './served.ts';

const rounds = 11;
const requests = 10;

const targetFile = (origin: string): string => `name: local
participants:
  sender: { role: institution, base_url: "${origin}/bank-a" }
  maker_a: { role: market-maker, base_url: "${origin}/mm-1" }
gaps: { proposal.effect: none, quote.target_amount: target }
orders:
  defaults: { sender_custodian_party_id: "Custodian::12", receiver_custodian_party_id: "Other::12" }
`;

/** Respect asks `servers` where to call, and looks for an answer's schema under its very status, never under 2XX. */
function forRespect(openApi: string, baseUrl: string): string {
  const document = JSON.parse(openApi, (key, value) => {
    if (key !== 'responses' || !value['2XX']) return value;
    const { '2XX': success, ...others } = value;
    return { 200: success, 201: success, ...others };
  });
  return JSON.stringify({ ...document, servers: [{ url: baseUrl }] });
}

type Contender = 'bare' | 'play' | 'respect';
type Contenders = Readonly<Record<Contender, () => number>>;

/** Each runs the flow once, as a process of its own, and answers with its wall time. */
async function contenders(origin: string, folder: string): Promise<Contenders> {
  const target = join(folder, 'target.yaml');
  writeFileSync(target, targetFile(origin));
  for (const [name, path] of Object.entries({ sender: 'bank-a', maker: 'mm-1' })) {
    const base = `${origin}/${path}`;
    const document = await (await fetch(`${base}/openapi.json`)).text();
    writeFileSync(join(folder, `${name}.json`), forRespect(document, base));
  }
  copyFileSync(at('./flow/ten-requests.arazzo.yaml'), join(folder, 'flow.arazzo.yaml'));
  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  return {
    bare: () => millisecondsOf([at('./flow/bare.mjs'), origin]),
    play: () => millisecondsOf([entry, 'play', 'bench/flow/ten-requests.yaml', '--target', target]),
    respect: () => {
      const input = JSON.stringify({ valid_until: new Date(Date.now() + 30_000).toISOString() });
      return millisecondsOf([redocly, 'respect', 'flow.arazzo.yaml', '--input', input], {
        cwd: folder,
        env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      });
    },
  };
}

/** Requests beyond those of the flow. Throws if a request of the flow is missing. */
function beyond(flow: readonly string[], asked: readonly string[]): readonly string[] {
  const rest = [...asked];
  for (const request of flow) {
    const index = rest.indexOf(request);
    if (index === -1) throw new Error(`nobody asked ${request}, only:\n${asked.join('\n')}`);
    rest.splice(index, 1);
  }
  return rest;
}

interface Round extends Readonly<Record<Contender, number>> {
  /** Requests that Assay makes for itself: who a party is, and how far off its clock. */
  readonly own: number;
}

/** One round, in turns: each asks what the bare script asked, and nobody but Assay anything else. */
async function round(run: Contenders, server: Served): Promise<Round> {
  const bare = run.bare();
  const flow = await server.asked();
  if (flow.length !== requests) throw new Error(`the bare script made ${flow.length} requests`);
  const play = run.play();
  const own = beyond(flow, await server.asked());
  const respect = run.respect();
  const surplus = [
    ...own.filter((request) => !request.endsWith('/api/v1/whoami')),
    ...beyond(flow, await server.asked()),
  ];
  if (surplus.length > 0) throw new Error(`asked beyond the flow:\n${surplus.join('\n')}`);
  return { bare, play, respect, own: own.length };
}

/** A flow of ten requests as a scenario, beside a bare script and Redocly Respect: whole processes, side by side. */
export async function benchTenRequests(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const server = await served();
  try {
    const run = await contenders(server.origin, folder);
    await server.asked();
    const times: Round[] = [];
    for (let left = rounds; left > 0; left -= 1) times.push(await round(run, server));
    const alone = (name: string, of: Contender): Row => ({
      name: `${name}, whole process`,
      value: median(times.map((one) => one[of])),
      unit: 'ms',
      aim: '',
    });
    return [
      {
        name: 'ten requests as a scenario, whole process',
        value: median(times.map((one) => one.play / one.bare)),
        unit: 'x a bare fetch script',
        aim: '<= 1.5',
      },
      {
        name: 'the same, beside an Arazzo description of it',
        value: median(times.map((one) => one.play / one.respect)),
        unit: 'x Redocly Respect',
        aim: '<= 0.5',
      },
      {
        name: 'what the scenario asks beyond the ten, for party and clock',
        value: median(times.map((one) => one.own)),
        unit: 'requests',
        aim: '',
      },
      alone('the scenario', 'play'),
      alone('the bare fetch script', 'bare'),
      alone('Redocly Respect', 'respect'),
    ];
  } finally {
    server.stop();
    rmSync(folder, { recursive: true });
  }
}

import { networkTransport } from '../../../src/client/http/network-transport.ts';
import { createParty, type OpenParty } from '../../../src/client/party.ts';
import type { EventStream, Party } from '../../../src/client/contract.ts';
import { createRecorder, type Recorder } from '../../../src/history/recorder.ts';
import { allRules } from '../../../src/oracle/index.ts';
import { random as randomOf, type Random } from '../../../src/random/random.ts';
import { judgeHistory } from '../../../src/run/judge-history.ts';
import { referenceAnswers } from '../../../src/spec/gaps/index.ts';
import { cast as roles, type CastName } from '../../../src/spec/requirements/requirement.ts';
import { systemClock } from '../../../src/timeline/clock/system-clock.ts';
import { systemTimeline } from '../../../src/timeline/system-timeline.ts';
import { compareOrders, compareQuotes, createLedger, dataOf, type Difference } from './ledger.ts';
import { freePort, type ServedLife, serveLife } from './served-life.ts';
import { type Cast, work, type Workload } from './workload.ts';
import { testDirectory } from '../../support/test-directory.ts';

export interface KillOptions {
  readonly kills: number;
  readonly seed: bigint;
  /**
   * A new journal begins after this number, since each kill is followed by a comparison of it all.
   */
  readonly killsPerJournal?: number;
  readonly clients?: number;
}

export interface KillReport {
  readonly kills: number;
  /** Kills in the middle of a start. */
  readonly atStart: number;
  readonly answered: number;
  /** Requests whose answer never came. */
  readonly unanswered: number;
  readonly orders: number;
  /** Starts that found a torn record. */
  readonly torn: number;
  readonly events: number;
  readonly differences: readonly Difference[];
  /** Failures of rules over the joined history of each journal. */
  readonly findings: readonly string[];
}

const names = [
  'sender',
  'sender_custodian',
  'receiver_custodian',
  'maker_a',
  'maker_b',
  'maker_c',
] as const satisfies readonly CastName[];
const prefixes = {
  sender: 'bank-a',
  sender_custodian: 'custodian-a',
  receiver_custodian: 'custodian-b',
  maker_a: 'mm-1',
  maker_b: 'mm-2',
  maker_c: 'mm-3',
} as const;

/** Kills a real server repeatedly while clients write; compares its later answers with theirs. */
export async function runKills(options: KillOptions): Promise<KillReport> {
  const { kills, seed, killsPerJournal = 25, clients = 8 } = options;
  const random = randomOf(seed, 'kills');
  const total = {
    kills: 0,
    atStart: 0,
    answered: 0,
    unanswered: 0,
    orders: 0,
    torn: 0,
    events: 0,
    differences: [] as Difference[],
    findings: [] as string[],
  };
  for (let journal = 0; total.kills < kills; journal += 1) {
    const wanted = Math.min(killsPerJournal, kills - total.kills);
    const one = await oneJournal(random.fork(`journal ${journal}`), wanted, clients);
    for (const key of [
      'kills',
      'atStart',
      'answered',
      'unanswered',
      'orders',
      'torn',
      'events',
    ] as const)
      total[key] += one[key];
    total.differences.push(...one.differences);
    total.findings.push(...one.findings);
  }
  return total;
}

async function oneJournal(random: Random, kills: number, clients: number): Promise<KillReport> {
  const directory = testDirectory();
  const port = await freePort();
  const recorder = createRecorder();
  const open = openCast(port, recorder);
  const ledger = createLedger();
  const cast = Object.fromEntries(
    names.map((name) => [name, open[name].as('clients')]),
  ) as unknown as Cast;
  const load: Workload = { cast, ledger, open: { orders: [], quotes: [] }, tries: 0, answered: 0 };
  const streams = Object.fromEntries(
    (['sender', 'maker_a'] as const).map((name) => [name, followed(cast[name])]),
  );
  const differences: Difference[] = [];
  let [done, atStart, torn, reached] = [0, 0, 0, false];
  const begin = (): ServedLife =>
    serveLife({
      cwd: directory,
      words: ['--journal', 'journal'],
      port,
      settings: { snapshotAfterBytes: 200_000 },
    });
  let life = begin();
  try {
    for (; done < kills; done += 1) {
      if (reached && random.chance(0.1)) {
        // In the middle of its start: while it reads, cuts or notes that it begins.
        await systemTimeline(systemClock()).sleep(random.below(500));
        await life.kill();
        atStart += 1;
        life = begin();
        continue;
      }
      if ((await life.ready) === 'ended') throw new Error(`the server ended: ${life.said()}`);
      if (life.said().includes('breaks off')) torn += 1;
      if (!reached) for (const name of names) await open[name].reach();
      reached = true;
      differences.push(...(await compare(cast, load)));
      for (const stream of Object.values(streams)) await stream.open();
      let over = false;
      const working = Array.from({ length: clients }, (_, client) =>
        work(load, random.fork(`life ${done} client ${client}`), () => over),
      );
      await momentToKill(load, random);
      over = true;
      const gone = life.kill();
      await Promise.all([gone, ...working]);
      life = begin();
    }
    if ((await life.ready) === 'ended') throw new Error(`the server ended: ${life.said()}`);
    differences.push(...(await compare(cast, load)));
    for (const stream of Object.values(streams)) {
      await stream.open();
      await systemTimeline(systemClock()).sleep(200);
      await stream.close();
      differences.push(...stream.holes());
    }
  } finally {
    await life.kill();
    for (const name of names) await open[name].close();
  }
  return {
    kills: done,
    atStart,
    torn,
    answered: load.answered,
    unanswered: recorder.records.filter((one) => one.kind === 'exchange' && one.error).length,
    orders: ledger.orders.size,
    events: Object.values(streams).reduce((sum, stream) => sum + stream.count(), 0),
    differences,
    findings: findingsOf(recorder),
  };
}

const longestLifeMs = 3000;

/**
 * Waits for a number of answers and a little longer, so that the load of a life does not depend on
 * the speed of the machine.
 */
async function momentToKill(load: Workload, random: Random): Promise<void> {
  const host = systemClock();
  const timeline = systemTimeline(host);
  const wanted = load.answered + random.below(100);
  const latest = host.now() + longestLifeMs;
  while (load.answered < wanted && host.now() < latest) await timeline.sleep(2);
  await timeline.sleep(random.below(12));
}

function openCast(
  port: number,
  recorder: Recorder,
): Readonly<Record<(typeof names)[number], OpenParty>> {
  const timeline = systemTimeline(systemClock());
  return Object.fromEntries(
    names.map((name) => [
      name,
      createParty({
        name,
        role: roles[name],
        timeline,
        recorder,
        transport: networkTransport(`http://127.0.0.1:${port}/${prefixes[name]}`),
      }),
    ]),
  ) as Record<(typeof names)[number], OpenParty>;
}

/** One party's stream over all lives: each time it goes on after the last event that it had. */
function followed(party: Party) {
  const ids: string[] = [];
  let stream: EventStream | undefined;
  const take = (): void => {
    for (const { eventId } of stream?.frames ?? []) if (eventId !== undefined) ids.push(eventId);
    stream = undefined;
  };
  return {
    async open(): Promise<void> {
      take();
      const lastEventId = ids.at(-1);
      stream = await party.listen(lastEventId === undefined ? {} : { lastEventId });
    },
    async close(): Promise<void> {
      await stream?.close();
      take();
    },
    count: () => ids.length,
    /** Ids are numbers in a row: a gap is a lost event, a repeated id a repeated event. */
    holes(): Difference[] {
      return ids.flatMap((id, at): Difference[] => {
        if (at === 0) return [];
        const [epoch, number] = id.split('-');
        const [epochBefore, before] = ids[at - 1]?.split('-') ?? [];
        const follows = epoch === epochBefore && Number(number) === Number(before) + 1;
        return follows
          ? []
          : [{ kind: 'other', what: `${party.name}: event ${id} after ${ids[at - 1] ?? 'none'}` }];
      });
    },
  };
}

/** All that a server lists, beside what its clients know. Nobody writes meanwhile. */
async function compare(cast: Cast, { ledger }: Workload): Promise<Difference[]> {
  const orders = await listed(cast.sender, 'order.list');
  const quotes = [];
  for (const name of ['maker_a', 'maker_b', 'maker_c'] as const)
    quotes.push(...(await listed(cast[name], 'quote.list')));
  const differences = [...compareOrders(ledger, orders), ...compareQuotes(ledger, quotes)];
  for (const order of orders) ledger.seen.set(String(order['intent_id']), String(order['status']));
  return differences;
}

async function listed(party: Party, endpoint: 'order.list' | 'quote.list') {
  const all: Readonly<Record<string, unknown>>[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page: String(page), page_size: '100' };
    const exchange = await party.call(endpoint, { query });
    const items = dataOf(exchange);
    if (!Array.isArray(items)) throw new Error(`${endpoint}: ${JSON.stringify(exchange)}`);
    all.push(...(items as typeof all));
    if (items.length < 100) return all;
  }
}

function findingsOf(recorder: Recorder): readonly string[] {
  const { rules } = judgeHistory({ records: recorder.records }, allRules, {
    gaps: referenceAnswers,
  });
  return rules.flatMap((rule) =>
    rule.verdict === 'fail' || rule.verdict === 'error'
      ? [`${rule.id}: ${JSON.stringify(rule).slice(0, 1500)}`]
      : [],
  );
}

import { checks } from '../../conformance/index.ts';
import type { TransportLimits } from '../../src/client/http/transport.ts';
import { runTarget } from '../../src/run/run-target.ts';
import type { HistoryRecord } from '../../src/history/records.ts';
import { writeHistory } from '../../src/history/jsonl.ts';
import {
  exitCodeOfReport,
  historyFiles,
  type RunReport,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  toText,
} from '../../src/report/index.ts';
import type { CastName } from '../../src/spec/requirements/requirement.ts';
import { targetOf } from '../support/network/served-reference.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import { type Dialect, lantern } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { type Behaviour, startHostileProxy } from './proxy.ts';

/** Timeouts short enough for backends that hang, and long enough for a busy host. */
export const shortLimits: Partial<TransportLimits> = {
  connectMs: 500,
  headersMs: 1_500,
  streamHeadersMs: 3_000,
  bodyMs: 1_000,
};

/** Time limit for all attacks of one kind on a busy host. */
export const attacksBudgetMs = 170_000;

export interface Attack {
  readonly behaviour: Behaviour;
  /** Parties whose backend the proxy stands in front of; all by default. */
  readonly at?: readonly CastName[];
  readonly dialect?: Dialect;
  readonly clock?: 'host' | 'hand';
  readonly only?: readonly string[];
  readonly maxWaitMs?: number;
  readonly limits?: Partial<TransportLimits>;
  /** Timeout of calls to a driven clock; 1 s by default. */
  readonly clockMs?: number;
  /** Changes to the target file. */
  readonly file?: (text: string) => string;
}

/** Result of `assay check` as the command would give it. */
export type AttackResult = {
  readonly exit: number;
  /** All that was printed or would be written. */
  readonly written: string;
  readonly visits: number;
  readonly report?: RunReport;
  readonly records: readonly HistoryRecord[];
};

/** Checks that touch every role, list, stream and token within a second or two of target time. */
export const usualChecks = [
  'access.makers.own-quotes.sender',
  'access.lists.usual.pending',
  'auth.self.*',
  'health.*',
  'limit.token-lifetime.*',
  'order.cancel.with-three-quotes',
  'order.create.not-json',
  'order.quotes.empty',
];

type Hostile = Pick<Attack, 'behaviour' | 'at' | 'dialect' | 'clock' | 'maxWaitMs'>;

/** A peer behind a front, and the target file of it. */
export async function hostileTarget(options: Hostile) {
  const { behaviour, at, dialect = lantern, clock = 'host', maxWaitMs = 2_000 } = options;
  const peer = await startPeer({ dialect, clock });
  const proxy = await startHostileProxy(peer.origin, behaviour, peer.now);
  let text = targetFile(peer, 'hostile', clock, { maxWait: `${maxWaitMs}ms` });
  for (const name of at ?? []) {
    text = text.replace(`${peer.origin}/${name}"`, `${proxy.origin}/${name}"`);
  }
  if (!at) text = text.replaceAll(`"${peer.origin}/`, `"${proxy.origin}/`);
  return {
    text,
    visits: proxy.visits,
    close: async (): Promise<void> => {
      await proxy.close();
      await peer.close();
    },
  };
}

/** Checks a peer behind a front, through the same functions as the command. */
export async function runAttack(options: Attack): Promise<AttackResult> {
  const { text, visits, close } = await hostileTarget(options);
  try {
    return { ...(await check(options.file?.(text) ?? text, options)), visits: visits() };
  } finally {
    await close();
  }
}

type Checked = Omit<AttackResult, 'visits'>;

async function check(text: string, options: Attack): Promise<Checked> {
  const opening = await openRemote(targetOf(text, { file: 'hostile.yaml' }), {
    source: text,
    callsMayWait: true,
    ...(options.clock !== 'hand' && { ratePerSecond: 1_000 }),
    limits: { ...shortLimits, ...options.limits },
    helperTimeoutMs: options.clockMs ?? 1_000,
  });
  if (!opening.ok) {
    const exit = opening.kind === 'misconfigured' ? 2 : 3;
    return { exit, written: opening.problems.join('\n'), records: [] };
  }
  const { target } = opening;
  try {
    const report = await runTarget(target, {
      checks,
      seed: 7n,
      only: options.only ?? usualChecks,
      onStage: () => {},
      onProgress: () => {},
      date: () => '2031-05-05T08:00:00.000Z',
      wallMs: () => performance.now(),
    });
    const { history } = target;
    const written = [
      toText(report, target.secrets.maskHistory(history), { colour: 'plain' }),
      toJson(report),
      writeHistory(history.records, target.secrets),
      toJunit(report),
      toMarkdown(report),
      toHtml(report, {
        shell: '<title>Assay report</title><!--data-->',
        history: historyFiles(history.records, report, target.secrets).page,
      }),
    ].join('\n');
    return { exit: exitCodeOfReport(report), written, report, records: history.records };
  } finally {
    await target.close();
  }
}

/** Faults of our own in a run: there must be none, whatever a target does. */
export const faultsOf = ({ report }: AttackResult): readonly string[] =>
  [...(report?.requirements ?? []), ...(report?.checks ?? []), ...(report?.rules ?? [])]
    .filter(({ verdict }) => verdict === 'error')
    .map(({ id, reason }) => `${id}: ${reason ?? ''}`);

/** Runs attacks in parallel, several at a time; returns their results by name. */
export async function runAttacks(
  attacks: Readonly<Record<string, Attack>>,
  lanes = 9,
): Promise<ReadonlyMap<string, AttackResult>> {
  const results = new Map<string, AttackResult>();
  const left = Object.entries(attacks);
  const lane = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      results.set(next[0], await runAttack(next[1]));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** Picks behaviours of a table by name. Throws on an unknown name. */
export function behavioursNamed(
  table: Readonly<Record<string, Behaviour>>,
  names: readonly string[],
): Record<string, Behaviour> {
  return Object.fromEntries(
    names.map((name) => {
      const behaviour = table[name];
      if (!behaviour) throw new Error(`no behaviour: ${name}`);
      return [name, behaviour];
    }),
  );
}

/** One attack for each behaviour. */
export const attackPerBehaviour = (
  behaviours: Readonly<Record<string, Behaviour>>,
  options: Omit<Attack, 'behaviour'>,
): Record<string, Attack> =>
  Object.fromEntries(
    Object.entries(behaviours).map(([name, behaviour]) => [name, { ...options, behaviour }]),
  );

/** Attacks that give each of several parties another behaviour at the same time. */
export function attacksInParallel(
  behaviours: Readonly<Record<string, Behaviour>>,
  parties: readonly CastName[],
  options: Omit<Attack, 'behaviour' | 'at'> & {
    readonly as?: (behaviour: Behaviour) => Behaviour;
  } = {},
): Record<string, Attack> {
  const { as = (behaviour: Behaviour) => behaviour, ...rest } = options;
  const left = Object.entries(behaviours);
  const attacks: Record<string, Attack> = {};
  while (left.length > 0) {
    const some = left.splice(0, parties.length);
    const at = parties.slice(0, some.length);
    const behaviourOf = new Map<string, Behaviour>(
      at.map((party, n) => [party, as((some[n] as (typeof some)[0])[1])]),
    );
    const behaviour: Behaviour = (visit) => behaviourOf.get(visit.party)?.(visit);
    attacks[some.map(([name], n) => `${at[n]} ${name}`).join(', ')] = { ...rest, at, behaviour };
  }
  return attacks;
}

/** Failures without evidence from these parties, so that they cannot be the reason. */
export function failuresUnrelatedTo(
  blamed: readonly string[],
  { report, records }: AttackResult,
): readonly string[] {
  const partyOf = new Map(
    records.map((record): [string, string] =>
      record.kind === 'end' ? [record.stream, record.party] : [record.id, record.party],
    ),
  );
  return [...(report?.checks ?? []), ...(report?.rules ?? [])].flatMap(({ id, failures }) =>
    failures
      .filter(({ outcome }) => outcome === 'fail')
      .filter(({ exchanges }) => !exchanges.some((one) => blamed.includes(partyOf.get(one) ?? '')))
      .map(({ message }) => `${id}: ${message}`),
  );
}

/** Verdicts of the checks that call no backend of these parties if all backends are good. */
export function verdictsNotInvolving(
  parties: readonly string[],
  one: AttackResult,
  good: AttackResult,
): readonly string[] {
  const asking = new Set(
    good.records.flatMap(({ by, party }) => (parties.includes(party) ? [by] : [])),
  );
  return (one.report?.checks ?? [])
    .filter(({ id }) => !asking.has(id))
    .map(({ id, verdict, reason }) => `${id}: ${verdict} ${reason ?? ''}`);
}

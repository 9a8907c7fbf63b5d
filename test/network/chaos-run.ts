import { checks } from '../../conformance/index.ts';
import { mutationNamed } from '../../mutants/index.ts';
import { exitCodeOfReport, type RunReport } from '../../src/report/index.ts';
import type { HistoryRecord } from '../../src/history/records.ts';
import { random } from '../../src/random/random.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import { startFlawedPeer } from '../independent/flawed-peer.ts';
import type { Flaw } from '../independent/flaws/flaw.ts';
import { type Dialect, type DialectName, dialects } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { servedReference, targetOf } from '../support/network/served-reference.ts';
import { type ChaosKind, startChaosProxy } from '../support/network/chaos-proxy.ts';

export interface ChaosRun {
  /** The reference, served, or a peer in a dialect. */
  readonly backend: 'reference' | DialectName | Dialect;
  readonly clock: 'driven' | 'system';
  /** Of the exchanges, how many are spoilt. */
  readonly share: number;
  readonly seed: number;
  readonly kinds?: readonly ChaosKind[];
  /** Number of exchanges after which the proxy and the driven clock stop answering. */
  readonly goneAfter?: number;
  /** A defect of the reference. */
  readonly mutation?: string;
  /** A defect of a peer. */
  readonly flaw?: Flaw;
  readonly only?: readonly string[];
  /** On the system clock, the longest that a check may wait. */
  readonly maxWaitMs?: number;
}

export interface ChaosResult {
  readonly exit: number;
  readonly report?: RunReport;
  readonly records: readonly HistoryRecord[];
  /** Every failure, by the rule or check that found it. */
  readonly accusations: readonly string[];
  readonly spoilt: number;
}

/** A backend, where its parties are, and its target file. */
interface Behind {
  readonly origin: string;
  readonly text: string;
  readonly files: (path: string) => string | undefined;
  close(): Promise<void>;
}

async function reference({ clock, mutation }: ChaosRun): Promise<Behind> {
  const tamper = mutation === undefined ? undefined : mutationNamed(mutation)?.tamper();
  const kind = clock === 'driven' ? 'virtual' : 'system';
  const { addresses, key, ...served } = await servedReference({ clock: kind, tamper });
  const { origin } = new URL(addresses[0]?.baseUrl ?? '');
  return { ...served, origin, files: () => key };
}

async function peer({ backend, clock, flaw }: ChaosRun): Promise<Behind> {
  const hand = clock === 'driven' ? 'hand' : 'host';
  const dialect = typeof backend === 'string' ? dialects[backend as DialectName] : backend;
  const options = { dialect, clock: hand } as const;
  const started = await (flaw ? startFlawedPeer(flaw, options) : startPeer(options));
  return {
    origin: started.origin,
    text: targetFile(started, dialect.name, hand),
    files: () => undefined,
    close: () => started.close(),
  };
}

/** Checks a correct backend, or one with a defect, through a network that spoils some exchanges. */
export async function runThroughChaos(run: ChaosRun): Promise<ChaosResult> {
  const behind = await (run.backend === 'reference' ? reference(run) : peer(run));
  const proxy = await startChaosProxy({
    origin: behind.origin,
    random: random(BigInt(run.seed)).fork('chaos'),
    share: run.share,
    ...(run.kinds && { kinds: run.kinds }),
    ...(run.goneAfter !== undefined && {
      goneAfter: run.goneAfter,
      onGone: () => void behind.close(),
    }),
  });
  // Its clock is driven past the proxy: that is no part of the interface.
  const text = behind.text.replace(
    /(base_url: "?)(http:\/\/[^/"]+)/g,
    (_, before: string) => `${before}${proxy.origin}`,
  );
  const spoilt = (): number => [...proxy.done.values()].reduce((sum, one) => sum + one, 0);
  try {
    const opening = await openRemote(targetOf(text, { readText: behind.files }), {
      source: text,
      callsMayWait: true,
      maxWaitMs: run.clock === 'system' ? (run.maxWaitMs ?? 6_000) : undefined,
      ...(run.clock === 'system' && { ratePerSecond: 1_000 }),
    });
    if (!opening.ok) {
      const exit = opening.kind === 'misconfigured' ? 2 : 3;
      return { exit, records: [], accusations: [], spoilt: spoilt() };
    }
    const { target } = opening;
    const report = await runTarget(target, {
      ...silentObserver,
      checks,
      seed: BigInt(run.seed),
      ...(run.only && { only: run.only }),
    });
    await target.close();
    const accusations = [...report.checks, ...report.rules].flatMap(({ id, failures }) =>
      failures
        .filter(({ outcome }) => outcome === 'fail')
        .map(({ message, exchanges }) => `${id}: ${message} [${exchanges.join(' ')}]`),
    );
    const { records } = target.history;
    return { exit: exitCodeOfReport(report), report, records, accusations, spoilt: spoilt() };
  } finally {
    await proxy.close();
    await behind.close();
  }
}

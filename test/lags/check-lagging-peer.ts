import { performance } from 'node:perf_hooks';
import { checks } from '../../conformance/index.ts';
import type { RunReport } from '../../src/results/run-report.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { readTargetFile } from '../../src/target/file/read-target-file.ts';
import { openRemote } from '../../src/target/remote/remote.ts';
import type { Defect } from '../peer/defects.ts';
import { type DialectName, dialects } from '../peer/dialect.ts';
import type { Lags } from '../peer/lagging-views.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';

export interface LagRun {
  readonly report: RunReport;
  readonly records: readonly unknown[];
  readonly ms: number;
  /** Number of advances of the clock. */
  readonly steps: number;
  readonly blamed: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly reason: unknown;
  }[];
}

export interface LagOptions {
  readonly lags?: Lags;
  readonly dialect?: DialectName;
  readonly defect?: Defect;
  readonly only?: readonly string[];
  readonly seed?: bigint;
}

/** Checks a peer whose clock is driven and whose views are behind. */
export async function checkLaggingPeer({
  lags = () => 0,
  dialect = 'harbour',
  defect = 'none',
  only,
  seed = 1n,
}: LagOptions): Promise<LagRun> {
  const peer = await startPeer({ dialect: dialects[dialect], defect, clock: 'hand', lags });
  try {
    const begun = performance.now();
    const text = targetFile(peer, dialect, 'hand');
    const host = { directory: '.', env: {}, readText: () => undefined };
    const read = readTargetFile({ file: 'peer.yaml', text }, host);
    if (!read.ok) throw new Error('the file of the peer was not read');
    const opened = await openRemote(read.target, { callsMayWait: true, runId: 'lags' });
    if (!opened.ok) throw new Error(opened.problems.join('\n'));
    const { target } = opened;
    try {
      const report = await runTarget(target, {
        ...silentObserver,
        checks,
        seed,
        ...(only && { only }),
      });
      const blamed = [...report.checks, ...report.rules, ...report.requirements].flatMap(
        ({ id, verdict, reason }) =>
          ['fail', 'warn', 'error'].includes(verdict) ? [{ id, verdict, reason }] : [],
      );
      const ms = performance.now() - begun;
      return { report, records: target.history.records, ms, steps: peer.steps(), blamed };
    } finally {
      await target.close();
    }
  } finally {
    await peer.close();
  }
}

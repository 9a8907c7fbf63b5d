import { viewOf } from '../oracle/trace/history-view.ts';
import type { SourceReport } from '../results/source-report.ts';
import type { Reference, ReferenceLives } from '../scenario/run/session.ts';
import { watchInvariants } from '../simulation/judge/invariant-watch.ts';
import { watchRestarts } from '../simulation/judge/restarts.ts';
import type { WorldFinding } from '../simulation/outcome.ts';
import type { TargetLives } from '../simulation/play/target-lives.ts';
import { type OpenWorld, openWorld } from '../simulation/play/open-world.ts';
import { ruleContext } from '../suite/engine/apply-rules.ts';
import { referenceStartMs } from '../target/embedded/create-reference.ts';
import {
  type EmbeddedOptions,
  type EmbeddedTarget,
  openEmbedded,
} from '../target/embedded/embedded.ts';

/** A reference for playing scenarios, with watches on its internal state. */
export interface WatchedReference {
  readonly target: EmbeddedTarget;
  readonly reference: Reference;
  /** Violations seen in the internal state, one entry per watch. */
  readonly inside: () => readonly SourceReport[];
}

/**
 * Opens the reference with the watches that worlds have: its state between any two steps, and its state after a
 * restart.
 * @param restarts true if it has a disk from which it can restart
 * @param faulty true if its host and the networks of its parties can have faults
 */
export async function openWatched(
  options: Omit<EmbeddedOptions, 'startMs'>,
  { restarts, faulty }: { readonly restarts: boolean; readonly faulty: boolean },
): Promise<WatchedReference> {
  const inside = watchInvariants();
  const { restarted, findings } = watchRestarts();
  const startMs = referenceStartMs;
  const world =
    restarts || faulty
      ? await openWorld({ ...options, startMs, ...(restarts && { onRestart: restarted }) })
      : undefined;
  const target = world?.target ?? (await openEmbedded({ ...options, startMs }));
  const look = (): void => {
    if (world?.lives?.isUp === false) return;
    inside.observe({
      now: target.timeline.now(),
      world: target.world,
      isLate: world?.outages.isLate(target.timeline.now()) ?? false,
    });
  };
  look();
  return {
    target,
    reference: {
      ...target.hooks,
      look,
      ...(world && { pauseHost: (ms) => pauseHost(world, ms) }),
      ...(world?.lives && { lives: livesOf(world, world.lives) }),
    },
    inside() {
      look();
      // One more restart at the end, where it disturbs nothing: all stored state must be there again.
      if (world?.lives?.isUp) world.lives.restart(0);
      const view = viewOf({ records: target.history.records }, ruleContext(target, new Set()));
      return [...inside.findings(view), ...findings()].map(reportOf);
    },
  };
}

const pauseHost = ({ target: { timeline }, host, outages }: OpenWorld, ms: number) =>
  timeline.turn(async () => {
    const now = timeline.now();
    const grantedMs = outages.begin(now, ms);
    host.pauseUntil(now + grantedMs);
    return grantedMs === ms;
  });

const livesOf = ({ target, host }: OpenWorld, lives: TargetLives): ReferenceLives => ({
  async restart({ ms, tornBytes }) {
    const { timeline } = target;
    if (tornBytes !== undefined) {
      await timeline.turn(async () => lives.restartInWrite(tornBytes, ms, () => undefined));
      return true;
    }
    const downMs = await timeline.turn(async () => lives.restart(ms));
    await timeline.sleep(downMs);
    return downMs === ms;
  },
  async fillDisk(ms) {
    const grantedMs = await target.timeline.turn(async () => lives.fillDisk(ms));
    if (grantedMs > 0) host.at(host.now() + grantedMs, () => lives.makeRoom());
    return grantedMs === ms;
  },
});

/** Report of a broken invariant. It is a defect of the reference, though no sentence of the document forbids it. */
const reportOf = ({ rule, message, exchanges }: WorldFinding): SourceReport => ({
  id: rule,
  title: 'The reference as it is seen from the inside',
  requirements: [],
  verdict: 'fail',
  reason: message,
  failures: [{ outcome: 'fail', message, exchanges }],
  judged: [],
});

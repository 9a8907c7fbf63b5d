import type { GapId } from '../../spec/gaps/index.ts';
import type { ProbeContext } from '../probe/probe-context.ts';

/** What a probe saw of a gap, in the words of the register where they fit. */
export type Seen = readonly (readonly [gap: GapId, answer: string])[];

/** Waits for what it asks, which on a clock that is driven costs nothing. */
export interface ProbeOverTime {
  readonly name: string;
  /** The gaps that it finds answers to. */
  readonly gaps: readonly GapId[];
  /** @param known what earlier probes found, or the target's file says */
  readonly run: (t: ProbeContext, known: (gap: GapId) => string | undefined) => Promise<Seen>;
}

/** Longer than anything takes that follows at once: one backend may hear of it later than another. */
export const soonMs = 3_500;

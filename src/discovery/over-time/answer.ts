import type { GapId } from '../../spec/gaps/index.ts';
import type { ProbeContext } from '../probe/probe-context.ts';

/** Gap answers that a probe saw, in the words of the register if they fit. */
export type Seen = readonly (readonly [gap: GapId, answer: string])[];

/** A probe that waits for its answers. On a driven clock, waiting costs nothing. */
export interface ProbeOverTime {
  readonly name: string;
  /** The gaps that it finds answers to. */
  readonly gaps: readonly GapId[];
  /** @param known answers that earlier probes found, or that the target file declares */
  readonly run: (t: ProbeContext, known: (gap: GapId) => string | undefined) => Promise<Seen>;
}

/** Longer than any immediate effect takes. One backend may learn of it later than another. */
export const soonMs = 3_500;

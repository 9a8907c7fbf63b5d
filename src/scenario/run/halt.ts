import type { Exchange } from '../../history/records.ts';
import { type LimitName, notJudged } from '../../history/limits.ts';
import type { SourceLocation } from '../../yaml/index.ts';

/** One deviation from an expectation. */
export interface Mismatch {
  readonly at: SourceLocation;
  /** Path in the answer: `status`, `items[2].fx_rate`; empty for the whole. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

export interface StepFailure {
  readonly at: SourceLocation;
  readonly message: string;
  readonly mismatches: readonly Mismatch[];
  /** History of an `eventually`. */
  readonly notes?: readonly string[];
  readonly exchanges: readonly string[];
}

/** Reason why a scenario ended early. `failed`: the target is at fault. The others say nothing against it. */
export type HaltReason =
  | { readonly kind: 'failed'; readonly fault: StepFailure }
  | {
      readonly kind: 'inconclusive' | 'out_of_scope' | 'error';
      readonly reason: string;
      /** Limit of assay that the scenario ran into. */
      readonly limit?: LimitName;
    };

/** Carries a reason to the code that runs the scenario, the only place that catches it. */
export class Halt extends Error {
  override readonly name = 'Halt';
  readonly ending: HaltReason;
  /** Number of lines in the log when the step ended: others may go on. */
  logged?: number;

  constructor(ending: HaltReason) {
    super(ending.kind === 'failed' ? ending.fault.message : ending.reason);
    this.ending = ending;
  }
}

/** A step uses a name that no step has saved. */
export class UnsavedName extends Halt {
  constructor(at: SourceLocation, name: string) {
    const message = `nothing was saved as "${name}"`;
    super({ kind: 'failed', fault: { at, message, mismatches: [], exchanges: [] } });
  }
}

export function fail(
  at: SourceLocation,
  message: string,
  more: {
    readonly mismatches?: readonly Mismatch[];
    readonly notes?: readonly string[];
    readonly seen?: readonly Pick<Exchange, 'id'>[];
  } = {},
): never {
  throw new Halt({
    kind: 'failed',
    fault: {
      at,
      message,
      mismatches: more.mismatches ?? [],
      exchanges: (more.seen ?? []).map(({ id }) => id),
      ...(more.notes && { notes: more.notes }),
    },
  });
}

/** Ends the scenario at a limit of assay: it is not judged. */
export function overLimit(limit: LimitName): never {
  throw new Halt({ kind: 'inconclusive', reason: notJudged(limit), limit });
}

export function end(kind: 'inconclusive' | 'out_of_scope' | 'error', reason: string): never {
  throw new Halt({ kind, reason });
}

import { gapIds, gaps } from '../spec/gaps/index.ts';
import { unlocks } from '../spec/unlocks.ts';
import type { GapReport } from '../results/run-report.ts';

export interface KnownAnswer {
  readonly gap: string;
  readonly declared?: string;
  readonly observed?: string;
  readonly consistent: boolean;
}

/** Every gap of the register, with what is known of the target's answer and how many requirements hang on it. */
export function gapReports(known: readonly KnownAnswer[]): GapReport[] {
  const byId = new Map(known.map((answer) => [answer.gap, answer]));
  return gapIds.map((id) => {
    const { part, question } = gaps[id];
    const answer = byId.get(id);
    return {
      id,
      part,
      question,
      ...(answer?.declared !== undefined && { declared: answer.declared }),
      ...(answer?.observed !== undefined && { observed: answer.observed }),
      consistent: answer?.consistent ?? true,
      unlocks: unlocks[id]?.length ?? 0,
    };
  });
}

import { gapIds, gaps } from '../spec/gaps/index.ts';
import type { GapReport } from './run.ts';

export interface KnownAnswer {
  readonly gap: string;
  readonly declared?: string;
  readonly observed?: string;
  readonly consistent: boolean;
}

/**
 * Every gap of the register with what is known of the target's answer.
 * @param locked how many requirements wait for the answer to a gap; those of answered gaps are not counted
 */
export function gapReports(
  known: readonly KnownAnswer[],
  locked: Readonly<Record<string, number>> = {},
): GapReport[] {
  const byId = new Map(known.map((answer) => [answer.gap, answer]));
  return gapIds.map((id) => {
    const { part, question } = gaps[id];
    const answer = byId.get(id);
    const isKnown = answer?.declared !== undefined || answer?.observed !== undefined;
    return {
      id,
      part,
      question,
      ...(answer?.declared !== undefined && { declared: answer.declared }),
      ...(answer?.observed !== undefined && { observed: answer.observed }),
      consistent: answer?.consistent ?? true,
      unlocks: isKnown ? 0 : (locked[id] ?? 0),
    };
  });
}

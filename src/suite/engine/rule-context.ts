import type { Target } from '../../client/contract.ts';
import type { OracleContext } from '../../oracle/trace/history-view.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import { castNames } from '../../spec/requirements/index.ts';

/** Facts about a target that the rules need beside the records. */
export type TargetFacts = Pick<Target, 'alone' | 'clock' | 'party' | 'parties'> & {
  readonly answers: { get(gap: GapId): string | undefined };
};

/** @param disturbed the ids of orders that a control pushed off their path. */
export const ruleContext = (target: TargetFacts, disturbed: ReadonlySet<string>): OracleContext => {
  const ids = new Set([...disturbed].map((id) => id.toLowerCase()));
  return {
    // As it is known by now: it may be known less well once nobody asks any more.
    offset: { ...target.clock.offset },
    answers: (gap) => target.answers.get(gap),
    // Of the embedded reference there is one for each run.
    alone: target.alone === true || target.clock.kind === 'virtual',
    cast: Object.fromEntries(
      castNames.flatMap((name) => {
        const declared = target.parties[name];
        if (!declared) return [];
        const { role, baseUrl } = declared;
        return [[name, { role, baseUrl, partyId: target.party(name, 'judge').partyId }]];
      }),
    ),
    disturbed: (intentId) => ids.has(intentId.toLowerCase()),
  };
};

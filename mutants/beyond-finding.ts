import type { ExcuseId } from '../src/spec/excuses.ts';

/** A defect inside an excuse that no suite can distinguish from an admissible backend. */
interface Unfindable {
  readonly mistake: string;
  readonly because: string;
}

/** Unfindable defects by excuse. Every other excuse has a mutation inside it that the suite finds. */
export const beyondFinding: Readonly<Partial<Record<ExcuseId, Unfindable>>> = {
  deadlineLateMs: {
    mistake: 'An order that was quoted expires 2.5 s late, any other at its deadline.',
    because:
      'a backend may look at its deadlines every few seconds, and at those of some orders in another round.',
  },
  liveEventMs: {
    mistake: 'quote_received reaches custodians 2.5 s late.',
    because:
      'no latency is given, and the backend of a custodian may ask the ledger every few seconds.',
  },
  settlementMinMs: {
    mistake: 'An order whose proposal was accepted settles within 2.2 s, any other within 4 s.',
    because: 'both are about 4 s, and two kinds of orders may settle in two ways.',
  },
  settlementMaxMs: {
    mistake: 'A settlement takes 5.8 s where its maker has another one under way.',
    because: 'that is still about 4 s, and settlements may wait for each other.',
  },
  'order.failure-reason.timeout': {
    mistake: 'An order whose proposal was accepted has no reason when its settlement times out.',
    because:
      'no reason at all is open, and hardly any order times out, so that no target shows that one always stands there.',
  },
};

/**
 * True if an order is traded only after its proposal is accepted, by a target's answer to gap `proposal.effect`. Before
 * that, makers cannot quote it, or no quote on it can be accepted.
 */
export const tradeAwaitsProposal = (effect: string | undefined): boolean =>
  effect === 'opens-quoting' || effect === 'opens-acceptance';

/**
 * Whether an order is traded only once its proposal has been accepted, by a target's answer to gap `proposal.effect`:
 * makers cannot quote it before, or no quote on it can be accepted.
 */
export const tradeAwaitsProposal = (effect: string | undefined): boolean =>
  effect === 'opens-quoting' || effect === 'opens-acceptance';

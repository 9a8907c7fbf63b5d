/** Lets the event loop go round once: whatever is ready to run in this process runs. */
export const oneTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Turns after which everything that follows in process from one action has happened: an injected answer and the
 * stream frames it caused arrive within two.
 */
const settledAfterTurns = 4;

export async function settle(turns: number = settledAfterTurns): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await oneTurn();
}

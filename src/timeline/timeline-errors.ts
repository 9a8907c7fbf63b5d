/** An actor held time still for too long: it waits for something that the timeline does not know of. */
export class StalledError extends Error {
  override readonly name = 'StalledError';
}

/** Every actor waits, and nothing is left that could wake them. */
export class DeadlockError extends Error {
  override readonly name = 'DeadlockError';
}

/** Work kept its turn for too long and lost it; the others went on. */
export class LostTurnError extends Error {
  override readonly name = 'LostTurnError';
}

/** The timeline was ended from outside: nobody's fault. */
export class EndedError extends Error {
  override readonly name: string = 'EndedError';
}

/** A target's clock that is driven over the wire failed: no time passes any more. Not our fault, unlike the others. */
export class LostClockError extends Error {
  override readonly name = 'LostClockError';
}

export const lostClockReason = ({ message }: LostClockError): string =>
  `the target's clock could not be driven any more: ${message}`;

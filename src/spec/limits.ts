/** Part 8, and the figures of parts 1.3 and 5.4. All in milliseconds unless the name says otherwise. */
export const limits = {
  tokenLifetimeSeconds: 3600,
  heartbeatIntervalMs: 30_000,
  /** "About": a vague figure, so a departure is a warning at most. */
  settlementDurationMs: 4_000,
} as const;

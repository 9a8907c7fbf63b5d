/**
 * How much room the rules leave where the document gives no figure, in milliseconds. Each is as small as it can be
 * without calling a plausible backend wrong; what lies within counts neither for nor against.
 */
export const tolerance = {
  /**
   * How late a deadline may take effect. The document names no latency, and the shortest span that it does name
   * ("about 4 seconds") is of seconds: a backend that sweeps its deadlines once a second or two keeps every word.
   */
  deadlineLateMs: 3_000,
  /** Truncation to milliseconds, and the scheduler between a backend's look at its clock and its answer. */
  deadlineEarlyMs: 25,
  /** Between what a backend writes down as the moment of something and the exchange that brought it about. */
  stamp: 1_000,
  /** How far the backends of two parties may lag behind each other: they are separate participants of a ledger. */
  replicationLagMs: 2_000,
  /** How late an event may come and still count as live: short compared with the "about 4 seconds" of a settlement. */
  liveEventMs: 3_000,
  /** How long an event may travel. A stream that ended sooner after the cause was not due it for certain. */
  eventDeliveryMs: 5_000,
  /** Around the 30 seconds of a heartbeat: late timers on one side, a slow reader on the other. */
  heartbeat: 3_000,
  /** How long an end is waited for, well beyond "about 4 seconds": what has not settled by then has not for certain. */
  settlement: 15_000,
  /** "About 4 seconds", read widely. */
  settlementMinMs: 2_000,
  settlementMaxMs: 6_000,
} as const;

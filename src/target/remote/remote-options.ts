import type { TransportLimits } from '../../client/http/transport.ts';
import type { KeptRoom } from '../../history/recorder.ts';
import type { Secrets } from '../../history/secrets/secrets.ts';
import type { NetworkBetween } from '../opened-target.ts';

export interface RemoteOptions {
  /** Whose identifiers the orders of this run have. */
  readonly runId?: string | undefined;
  readonly maxWaitMs?: number | undefined;
  /** Most requests a second; by default 100 for a target on its own clock, none for one that is driven. */
  readonly ratePerSecond?: number | undefined;
  /** How many requests may go at once after a pause; see the pacer. */
  readonly burst?: number;
  /** Whether every party listens from the start on the stream that all share; by default yes. */
  readonly listening?: boolean;
  /**
   * How closely a party's clock must be known by the answers that reaching it brings, in milliseconds, for it not to be
   * asked once more; by default asked in any case.
   */
  readonly clockWithinMs?: number;
  /**
   * Whether a call may wait while the clock is driven on to somebody else's moment, on a target that answers slowly
   * (decision 22). Checks allow for it, and their chains of answers overlap; flows that are played keep to their moments.
   */
  readonly callsMayWait?: boolean;
  /** Bounds of each exchange other than the usual ones. */
  readonly limits?: Partial<TransportLimits>;
  /** How long a call to the target's clock or one of its controls may take, in host milliseconds. */
  readonly helperTimeoutMs?: number;
  readonly network?: NetworkBetween;
  /** The limit on what is kept of all parties together; that of a run by default. */
  readonly kept?: KeptRoom['limit'];
  /** Learns what must not be written; by default one of the target's own. */
  readonly secrets?: Secrets;
  /** The target file's text, for the lines that problems point at. */
  readonly source?: string;
}

import type { TransportLimits } from '../../client/http/transport.ts';
import type { KeptRoom } from '../../history/recorder.ts';
import type { Secrets } from '../../history/secrets/secrets.ts';
import type { FaultyNetworks } from '../../client/faulty-network.ts';

export interface RemoteOptions {
  /** Id of this run, from which the identifiers in its orders are drawn. */
  readonly runId?: string | undefined;
  readonly maxWaitMs?: number | undefined;
  /** Maximum requests per second; by default 100 for a target on its own clock, no limit for a driven one. */
  readonly ratePerSecond?: number | undefined;
  /** Maximum number of requests at once after a pause; see the pacer. */
  readonly burst?: number;
  /** True if every party listens from the start on the stream that all share; by default true. */
  readonly listening?: boolean;
  /**
   * Precision in milliseconds: if the first answers of a party show its clock that closely, it is not asked once more.
   * By default it is asked in any case.
   */
  readonly clockWithinMs?: number;
  /**
   * True if a call may wait while the clock is driven on to another caller's moment, on a target that answers slowly
   * (decision 22). Checks allow for it, and their chains of answers overlap; flows that are played keep to their moments.
   */
  readonly callsMayWait?: boolean;
  /** Limits of each exchange that replace the usual ones. */
  readonly limits?: Partial<TransportLimits>;
  /** Timeout of a call to the target's clock or one of its controls, in host milliseconds. */
  readonly helperTimeoutMs?: number;
  readonly networks?: FaultyNetworks;
  /** Limit on the data kept of all parties together; that of a run by default. */
  readonly kept?: KeptRoom['limit'];
  /** Collects the values that must not be written; by default the target has its own. */
  readonly secrets?: Secrets;
  /** The target file's text, for the lines that problems point at. */
  readonly source?: string;
}

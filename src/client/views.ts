import type { Exchange, ViewAge } from '../history/records.ts';
import type { EndpointName } from '../spec/endpoints.ts';

/** A call by its party and its endpoint. */
export interface ViewCall {
  readonly party: string;
  readonly endpoint?: EndpointName | undefined;
}

/**
 * Views of a target whose clock is driven, and whose views follow in host time: single reads, lists and streams, for
 * each party separately.
 */
export interface Views {
  /** Resolves once the view surely shows all effects of the last clock change, as far as that is known. */
  caughtUp(call: ViewCall): Promise<void>;
  /** Maximum age of the data in a call that is sent now; undefined if the call reads no view. */
  ageOf(call: ViewCall): ViewAge | undefined;
  /** The earliest possible date of a message that the party's stream brings now. */
  streamSince(party: string): number;
  /**
   * True if an answer shows a state that had ended longer ago than the lag of its view. The request is then sent again
   * at the same moment, after a rest.
   */
  shouldAskAgain(exchange: Exchange): boolean;
  /** Lets some host time pass. */
  rest(): Promise<void>;
}

import type { Exchange, ViewAge } from '../history/records.ts';
import type { EndpointName } from '../spec/endpoints.ts';

/** A call by its party and its endpoint. */
export interface ViewCall {
  readonly party: string;
  readonly endpoint?: EndpointName | undefined;
}

/**
 * The places in which the parties of a target see what happened, where its clock is driven and they follow in host time:
 * single reads, lists, streams, each party's by itself.
 */
export interface Views {
  /** Ends once what the clock brought can surely be seen there, as far as that is known. */
  caughtUp(call: ViewCall): Promise<void>;
  /** How old what it shows may be, of a call that is sent now; undefined: it is read from no view. */
  ageOf(call: ViewCall): ViewAge | undefined;
  /** The earliest moment from which a message may date that a party's stream brings now. */
  streamSince(party: string): number;
  /**
   * True if an answer shows a state that had ended longer ago than the lag of its view. The request is then sent again
   * at the same moment, after a rest.
   */
  shouldAskAgain(exchange: Exchange): boolean;
  /** Lets some host time pass. */
  rest(): Promise<void>;
}

/**
 * The one place in which anything waits. Under the virtual clock, time moves only when every actor waits and
 * nothing is in flight; then straight to the next due moment. Under the system clock the same calls wait.
 *
 * An actor is an independent activity: a check, a branch of a scenario. Every call below is made from within one.
 * If time is moved, actors go on one after another, each until it waits here again: this identifies the actor of a
 * call. So an actor may await only its timeline and its own promises; anything else that may take a turn of the event
 * loop is a `turn`. An actor that went on after anything else would never be seen to wait.
 */
export interface Timeline {
  /** `controlled`: the target's time is driven over the wire, and this timeline follows it. */
  readonly kind: 'virtual' | 'system' | 'controlled';
  /** Milliseconds since the epoch, on the target's clock as well as it is known. */
  now(): number;
  /** Data that arrives right now was sent no earlier than this. Before `now` only while a driven clock moves. */
  earliest?(): number;
  /** Runs a body as an actor under a name that the watchdog can report; time stands still while it is busy. */
  act<T>(name: string, body: () => Promise<T>): Promise<T>;
  /** Runs bodies as actors side by side and waits for all; the first that throws is thrown after all have ended. */
  together<T>(bodies: readonly (readonly [name: string, body: () => Promise<T>])[]): Promise<T[]>;
  /**
   * Like `act`, for work that only serves others (reopening a stream): its waits come due like any other, but never
   * make time move by themselves. Must not be awaited from within an actor.
   */
  background<T>(name: string, body: () => Promise<T>): Promise<T>;
  until(instant: number): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Waits until the signal rings or the moment comes; returns which one. Without a moment, waits without a bound. */
  wait(signal: Signal, instant?: number): Promise<'rung' | 'due'>;
  /**
   * Does work that leaves this process or answers from outside simulated time: a request, asynchronous crypto.
   * In process such work runs one at a time and only when every actor waits or queues here, so that how long it
   * takes cannot change what happens next. Elsewhere it just runs.
   */
  turn<T>(work: () => Promise<T>, how?: TurnOptions): Promise<T>;
  /** Ends the timeline: all waits, actors and work under way get the error, and so do all later calls. */
  end(error: Error): void;
}

export interface TurnOptions {
  /** No time may pass before it begins, nor between it and the next action of the same actor. */
  readonly still?: boolean | undefined;
}

/** Something that actors can wait for. `ring` wakes all that wait now; it does not remember. */
export interface Signal {
  ring(): void;
  /** Used by timelines only: calls back at the next ring. Returns a function that cancels this. */
  onRing(wake: () => void): () => void;
}

import type { Clock } from '../../../timeline/clock/clock.ts';

/** The time of a world: it never goes back, even if the host's clock does. */
export class WorldTime {
  readonly #clock: Clock;
  #latest: number;

  /** @param journalEnd the last moment in the journal, if there is one */
  constructor(clock: Clock, journalEnd: number | undefined) {
    this.#clock = clock;
    this.#latest = Math.max(clock.now(), journalEnd ?? Number.NEGATIVE_INFINITY);
  }

  /** Latest moment of the world. */
  get latest(): number {
    return this.#latest;
  }

  now(): number {
    this.advanceTo(this.#clock.now());
    return this.#latest;
  }

  advanceTo(instant: number): void {
    this.#latest = Math.max(this.#latest, instant);
  }

  /** Sets the time to the moment of a record, while a journal is replayed. */
  replayTo(instant: number): void {
    this.#latest = instant;
  }

  endReplay(journalEnd: number): void {
    this.#latest = Math.max(this.#clock.now(), journalEnd);
  }
}

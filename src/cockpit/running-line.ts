import type { Exchange, HistoryRecord } from '../history/records.ts';
import { exportScenario } from './export.ts';
import type { Line, LineEntry, What } from './line-entry.ts';
import { rowOf } from './row-of.ts';
import type { Stage } from './stage.ts';
import { BoardBuilder, type Upcoming, upcomingOn } from './view/board.ts';
import type { Row } from './view/row.ts';

/** The live line: its target, the actions on it, and its records. */
export class Live {
  readonly stage: Stage;
  readonly line: Line;
  readonly rows: Row[] = [];
  readonly board = new BoardBuilder();
  readonly #stir: () => void;
  readonly #began: number;

  constructor(stage: Stage, line: Line, stir: () => void) {
    this.stage = stage;
    this.line = line;
    this.#stir = stir;
    this.#began = stage.target.timeline.now();
    const { history } = stage.target;
    for (const record of history.records) this.#take(record);
    history.watch((record) => this.#take(record));
  }

  get now(): number {
    const { timeline, clock } = this.stage.target;
    return clock.kind === 'system' ? timeline.now() + clock.offset.least : timeline.now();
  }

  /** Performs an action now, and adds it to the line. */
  async carryOut(what: What, driver: LineEntry['driver']): Promise<Exchange | undefined> {
    const from = this.stage.target.history.records.length;
    this.note({ ...what, at: this.stage.target.timeline.now(), from, driver });
    return this.stage.carryOut(what, driver);
  }

  note(entry: LineEntry): void {
    this.line.entries = [...this.line.entries, entry];
    this.line.end = Math.max(this.line.end, entry.at);
  }

  async passUntil(instant: number): Promise<void> {
    await this.stage.passUntil(instant);
    this.line.end = this.stage.target.timeline.now();
    this.#stir();
  }

  /** Repeats all actions of a line. */
  async retell({ entries, end }: Pick<Line, 'entries' | 'end'>): Promise<void> {
    for (const { at, from: _, driver, ...what } of entries) {
      if (at > this.now) await this.passUntil(at);
      await this.carryOut(what, driver);
    }
    if (end > this.now) await this.passUntil(end);
  }

  upcoming(): readonly Upcoming[] {
    const { now } = this;
    const known = this.stage.upcoming();
    return known ? known.filter(({ at }) => at > now) : upcomingOn(this.board, now);
  }

  /** The line as a scenario. */
  exported(): string {
    const { line, board } = this;
    return exportScenario({ target: this.stage.target, line, board, began: this.#began });
  }

  /** Orders that a fault may have affected. */
  disturbed(): readonly string[] {
    const some = this.stage.disturbed();
    return some.includes('all') ? [...this.board.orders.keys()] : some;
  }

  #take(record: HistoryRecord): void {
    const row = rowOf(record, this.rows.length);
    this.rows.push(row);
    this.board.take(row);
    this.#stir();
  }
}

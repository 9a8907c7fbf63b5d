import { type Random, random } from '../random/random.ts';
import type { Exchange, HistoryRecord } from '../history/records.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import { judgeSoFar, judging } from './judge.ts';
import { type Line, lineUpTo } from './line-entry.ts';
import { Live } from './running-line.ts';
import {
  actOn,
  advance,
  byItself,
  done,
  prepareOn,
  refused,
  requestOf,
  step,
  strikeOn,
} from './line-commands.ts';
import { open, type Opened, type Openers } from './opened.ts';
import { pace } from './pace.ts';
import type { Stage } from './stage.ts';
import type {
  CockpitState,
  Hello,
  Openable,
  PreparedRequest,
  VerbAnswer,
  Verb,
  VerdictShown,
} from './view/messages.ts';
import type { Row } from './view/row.ts';

/** Target of a cockpit. */
export interface Played {
  /** Opens a fresh stage with the given gap answers; absent if past actions cannot be undone. */
  readonly again?: (
    answers: Readonly<Record<string, string>>,
    onOutside: (entry: Line['entries'][number]) => void,
  ) => Promise<Stage>;
  readonly hello: (stage: Stage) => Hello;
  readonly openers: Openers;
  readonly seed: bigint;
}

const shownDeadlines = 8;
const fastest = 3_600;
const nothingJudged: VerdictShown = { records: 0, exercised: 0, findings: [], more: 0 };

/** State and actions of a cockpit: the lines, the live line, and its view. Executes one verb at a time. */
export class Session {
  readonly #played: Played;
  readonly #lines: Line[];
  readonly #random: Random;
  readonly #watchers = new Set<() => void>();
  readonly #judging = judging(() => this.#judge());
  readonly #pace = pace((ms) => this.#pass(ms));
  #live: Live;
  #line = 0;
  #opened: Opened | undefined;
  #verdict = nothingJudged;
  #epoch = 0;
  #busy = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #stirred = false;
  #closed = false;

  private constructor(played: Played, line: Line, stage: Stage) {
    this.#played = played;
    this.#lines = [line];
    this.#random = random(played.seed).fork('cockpit');
    this.#live = new Live(stage, line, () => this.#stir());
    this.#judging.stir();
  }

  /** @param remote the stage, if no fresh one can be made */
  static async start(
    played: Played,
    answers: Readonly<Record<string, string>>,
    remote?: Stage,
  ): Promise<Session> {
    const started: { session?: Session } = {};
    const stage =
      remote ?? (await played.again?.(answers, (entry) => started.session?.note(entry)));
    if (!stage) throw new Error('a cockpit needs a target');
    const line: Line = { name: 'line 1', answers, entries: [], end: 0 };
    started.session = new Session(played, line, stage);
    return started.session;
  }

  get hello(): Hello {
    return this.#played.hello(this.#live.stage);
  }

  /** A new epoch means that all rows so far belong to something else. */
  get epoch(): number {
    return this.#epoch;
  }

  get rows(): readonly Row[] {
    return this.#opened?.rows ?? this.#live.rows;
  }

  record(place: number): HistoryRecord | undefined {
    const { records } = this.#opened ?? this.#live.stage.target.history;
    return records[place];
  }

  /** Secrets to mask. */
  get secrets(): Secrets {
    return this.#live.stage.target.secrets;
  }

  /** Calls `see` when anything may have changed; returns a function that unsubscribes. */
  watch(see: () => void): () => void {
    this.#watchers.add(see);
    return () => this.#watchers.delete(see);
  }

  /** Records an action of an external client. */
  note(entry: Line['entries'][number]): void {
    this.#live.note(entry);
  }

  state(): CockpitState {
    const live = this.#live;
    const upcoming = live.upcoming();
    const holdings = live.stage.holdings();
    return {
      now: live.now,
      speed: this.#pace.speed,
      busy: this.#busy > 0,
      mode: this.#opened ? 'opened' : 'live',
      lines: this.#lines.map(({ name }) => name),
      line: this.#line,
      deadlines: upcoming.slice(0, shownDeadlines),
      moreDeadlines: Math.max(0, upcoming.length - shownDeadlines),
      ...(holdings && { holdings }),
      answers: live.line.answers,
      standing: live.stage.standing(),
      verdict: this.#opened?.verdict ?? this.#verdict,
      ...(this.#opened && { opened: this.#opened.shown }),
    };
  }

  /** Executes a verb of the page, after all earlier ones. Never rejects because of the target's behaviour. */
  do(verb: Verb): Promise<VerbAnswer> {
    return this.#next(async () => {
      if (this.#closed) return refused('the cockpit is closed');
      this.#busy += 1;
      this.#stir();
      try {
        return await this.#carryOut(verb);
      } catch (error) {
        return refused(error instanceof Error ? error.message : String(error));
      } finally {
        this.#busy -= 1;
        this.#stir();
      }
    });
  }

  /** Runs a function after all earlier ones. */
  #next<T>(body: () => Promise<T>): Promise<T> {
    const mine = this.#queue.then(body);
    this.#queue = mine.catch(() => this.#stir());
    return mine;
  }

  /** This line as a scenario. Actions of external clients are replayed first, so that their answers are known. */
  async exported(): Promise<string> {
    const hasUnheard = this.#live.line.entries.some(({ driver }) => driver === 'outside');
    if (hasUnheard) await this.do({ do: 'line', line: this.#line });
    return this.#queue.then(() => this.#live.exported());
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#pace.stop();
    this.#judging.stop();
    await this.#queue;
    await this.#live.stage.close();
  }

  #carryOut(verb: Verb): Promise<VerbAnswer> | VerbAnswer {
    if (this.#opened && !['open', 'close', 'fork'].includes(verb.do)) {
      return refused('this is a recording: go on from a moment of it, or close it first');
    }
    switch (verb.do) {
      case 'act':
        return actOn(this.#live, verb, this.#random);
      case 'prepare':
        return prepareOn(this.#live, verb.act, this.#random);
      case 'advance':
        return advance(this.#live, verb.ms, this.hello.longestMs);
      case 'step':
        this.#pace.stop();
        return step(this.#live, this.hello.longestMs);
      case 'run':
        return this.#run(verb.speed);
      case 'stop':
        this.#pace.stop();
        return done('time stands still');
      case 'fork':
        return this.#fork(verb.place);
      case 'line':
        return this.#change(verb.line);
      case 'fault':
        return strikeOn(this.#live, verb);
      case 'answers':
        return this.#answer(verb.answers);
      case 'open':
        return this.#open(verb.open);
      case 'close':
        return this.#closeOpened();
      default:
        return refused('that is nothing the cockpit does');
    }
  }

  /** Sends one request of the public interface as a party; returns a text with the reason if it cannot. */
  send(request: PreparedRequest): Promise<Exchange | string> {
    const call = requestOf(this.#live, request);
    return this.#next(async () => {
      if (typeof call === 'string') return call;
      if (this.#closed || this.#opened) return 'this is a recording: close it first';
      return (await this.#live.carryOut(call, 'you')) ?? 'nothing was asked';
    });
  }

  #run(speed: number): VerbAnswer {
    if (!this.#live.stage.isDriven) return byItself;
    if (!Number.isFinite(speed) || speed <= 0 || speed > fastest)
      return refused(`at most ${fastest} times as fast`);
    this.#pace.run(speed);
    return done(`time passes, ${speed} times as fast`);
  }

  /** Advances running time, queued among the verbs. */
  #pass(ms: number): Promise<void> {
    return this.#next(async () => {
      if (this.#pace.speed > 0 && !this.#closed && !this.#opened)
        await this.#live.passUntil(this.#live.now + ms);
    });
  }

  async #fork(place: number): Promise<VerbAnswer> {
    const source = this.#opened ? this.#opened.story : this.#live.line;
    const row = this.rows[place];
    if (!source) return refused('this recording cannot be gone on from');
    if (!row) return refused('there is no such moment');
    if (!this.#played.again) return refused('what a remote target has done cannot be undone');
    const from = this.#opened ? this.#opened.shown.title : this.#live.line.name;
    const name = `line ${this.#lines.length + 1}, from ${from}`;
    this.#lines.push(lineUpTo(source, row, name));
    return this.#change(this.#lines.length - 1);
  }

  /** Makes a line the live one: repeats all of it on a fresh reference. */
  async #change(index: number): Promise<VerbAnswer> {
    const line = this.#lines[index];
    if (!this.#played.again) return refused('what a remote target has done cannot be undone');
    if (!line) return refused('there is no such line');
    this.#pace.stop();
    this.#opened = undefined;
    const { entries, end } = line;
    line.entries = [];
    const before = this.#live;
    await before.stage.close();
    const stage = await this.#played.again(line.answers, (entry) => this.note(entry));
    this.#line = index;
    this.#live = new Live(stage, line, () => this.#stir());
    this.#reset();
    await this.#live.retell({ entries, end });
    return done(`${line.name}: it is ${new Date(this.#live.now).toISOString()}`);
  }

  #reset(): void {
    this.#epoch += 1;
    this.#verdict = nothingJudged;
    this.#judging.stir();
    this.#stir();
  }

  async #answer(answers: Readonly<Record<string, string>>): Promise<VerbAnswer> {
    if (!this.#played.again) return refused('a remote target answers as it does');
    const { line } = this.#live;
    const known = new Map(this.hello.gaps.map((gap) => [gap.id, gap.values]));
    const wrong = Object.entries(answers).find(([id, answer]) => !known.get(id)?.includes(answer));
    if (wrong) return refused(`${wrong[0]} has no answer ${JSON.stringify(wrong[1])}`);
    const changed = { ...line.answers, ...answers };
    const unusual = Object.entries(changed).filter(([id, answer]) => known.get(id)?.[0] !== answer);
    const name = `line ${this.#lines.length + 1}, other answers`;
    const { entries, end } = line;
    this.#lines.push({ name, answers: Object.fromEntries(unusual), entries, end });
    return this.#change(this.#lines.length - 1);
  }

  async #open(what: Openable): Promise<VerbAnswer> {
    const opened = await open(what, this.#played.openers, this.#played.seed);
    if (typeof opened === 'string') return refused(opened);
    this.#pace.stop();
    this.#opened = opened;
    this.#reset();
    return done(`${opened.shown.title}: ${opened.shown.outcome}`);
  }

  #closeOpened(): VerbAnswer {
    this.#opened = undefined;
    this.#reset();
    return done('closed');
  }

  #judge(): void {
    const live = this.#live;
    if (this.#closed) return;
    if (this.#busy > 0) return this.#judging.stir();
    this.#verdict = judgeSoFar(live.stage.target, live.disturbed());
    this.#tell();
  }

  /** Notifies the watchers of a change, once for all changes in one turn. */
  #stir(): void {
    if (this.#stirred) return;
    this.#stirred = true;
    queueMicrotask(() => {
      this.#stirred = false;
      if (this.#closed) return;
      if (this.#verdict.records < this.#live.rows.length) this.#judging.stir();
      this.#tell();
    });
  }

  #tell(): void {
    for (const see of this.#watchers) see();
  }
}

import type { Link } from './exchange.ts';
import type { StreamSink, Transport, WireAnswer, WireStream } from './http/transport.ts';
import type { WireError } from '../history/records.ts';

/**
 * Fault of the next request, or of its answer. It is lost, and the party gives up after `ms` milliseconds; or it is `ms`
 * milliseconds on its way.
 */
interface Mishap {
  readonly fault: 'request lost' | 'answer lost' | 'request delayed' | 'answer delayed';
  readonly ms: number;
}

/**
 * Fault of the network between one party and its backend. `streams stall`: nothing arrives on the streams for `ms`
 * milliseconds. `partition`: nothing arrives at all, in either direction; streams break.
 */
export type NetworkFault =
  | Mishap
  | { readonly fault: 'streams break' }
  | { readonly fault: 'streams stall' | 'partition'; readonly ms: number };

/** A fault that lasts for `ms` milliseconds, until `end` is called for the first time. */
export interface BegunFault {
  readonly ms: number;
  readonly end: () => unknown;
}

/** A stream on its way from the target. While it is held back, its pieces wait, and then arrive in order. */
class Line implements StreamSink {
  readonly #sink: StreamSink;
  readonly #waiting: (() => void)[] = [];
  #isHeld: boolean;
  #isOver = false;
  #endsFor: WireError | undefined;
  readonly #onOver: (line: Line) => void;

  /** @param onOver called once the stream has ended */
  constructor(sink: StreamSink, isHeld: boolean, onOver: (line: Line) => void) {
    this.#sink = sink;
    this.#isHeld = isHeld;
    this.#onOver = onOver;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  #inOrder(work: () => void): void {
    if (this.#isHeld) this.#waiting.push(work);
    else work();
  }

  chunk(bytes: Uint8Array): void {
    if (!this.#isOver) this.#inOrder(() => this.#sink.chunk(bytes));
  }

  end(error?: WireError): void {
    const reason = this.#endsFor ?? error;
    if (!this.#isOver) this.#inOrder(() => this.#over(reason));
  }

  /** From now on, every end of the stream counts as ours. */
  expectEnd(message: string): void {
    this.#endsFor = { code: 'aborted', message };
  }

  #over(error?: WireError): void {
    this.#isOver = true;
    this.#waiting.length = 0;
    this.#onOver(this);
    this.#sink.end(error);
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const work of this.#waiting.splice(0)) work();
  }

  /** Ends the stream. All that was on its way is lost. */
  cut(message: string): void {
    if (!this.#isOver) this.#over({ code: 'aborted', message });
  }
}

/** The cause is known to be the network, so the target must not be blamed. */
const lost = (message: string) => ({ kind: 'error', error: { code: 'aborted', message } }) as const;

/** The network between one party and its backend, with its faults. */
export class Network {
  readonly #mishaps: { readonly mishap: Mishap; readonly onNever: () => void }[] = [];
  readonly #lines = new Map<Line, WireStream | undefined>();
  readonly #pausedMs: () => number;
  readonly #underWay = new Set<() => void>();
  /** The partitions and the stalls that are active. */
  readonly #partitions = new Set<object>();
  readonly #stalls = new Set<object>();
  #isDown = false;
  readonly transport: Transport;

  /** @param pausedMs remaining pause of the backend's host, in milliseconds */
  constructor(direct: Transport, pausedMs: () => number) {
    this.#pausedMs = pausedMs;
    this.transport = {
      baseUrl: direct.baseUrl,
      request: (request) => direct.request(request),
      open: async (request, sink) => {
        const line = new Line(sink, this.#stalls.size > 0, (over) => this.#lines.delete(over));
        this.#lines.set(line, undefined);
        const answer = await direct.open(request, line);
        if (answer.kind !== 'pending') return this.#opened(line, answer);
        const later = answer.answer.then((one) => this.#opened(line, one));
        return { ...answer, answer: later };
      },
      close: () => direct.close(),
    };
  }

  #opened<T extends WireAnswer | WireStream>(line: Line, answer: T): T {
    if (answer.kind === 'stream' && line.isOver) answer.abort();
    if (answer.kind !== 'stream' || line.isOver) {
      this.#lines.delete(line);
      return answer;
    }
    const abort = (): void => {
      this.#lines.delete(line);
      answer.abort();
    };
    this.#lines.set(line, answer);
    return { ...answer, abort };
  }

  way(): Link {
    const mishap = this.#mishaps.shift()?.mishap;
    let delayMs = mishap?.fault === 'request delayed' ? mishap.ms : 0;
    let answerMs = mishap && mishap.fault !== 'request delayed' ? mishap.ms : 0;
    let isLost = false;
    return {
      heldMs: () => {
        const ms = delayMs > 0 ? delayMs : this.#pausedMs();
        delayMs = 0;
        return ms;
      },
      carry: async (send) => {
        if (this.#isDown) {
          isLost = true;
          return lost('the target was down');
        }
        if (this.#partitions.size > 0) {
          answerMs = Math.max(answerMs, unreachableMs);
          isLost = true;
          return lost('the network was cut');
        }
        if (mishap?.fault === 'request lost') {
          isLost = true;
          return lost('the network lost the request');
        }
        const answer = await this.#unlessKilled(send, () => (isLost = true));
        const isCut = this.#partitions.size > 0;
        if (!isCut && mishap?.fault !== 'answer lost') return answer;
        isLost = true;
        if (answer.kind === 'stream') answer.abort();
        if (answer.kind === 'pending') answer.giveUp();
        return lost(isCut ? 'the network was cut' : 'the network lost the answer');
      },
      answerMs: () => answerMs,
      isLost: () => isLost,
    };
  }

  /** A target that is killed in the middle of its work gives no answer. */
  #unlessKilled<T>(
    send: () => Promise<T>,
    onKilled: () => void,
  ): Promise<T | ReturnType<typeof lost>> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        onKilled();
        resolve(lost('the target was killed'));
      };
      this.#underWay.add(end);
      send()
        .then(resolve, reject)
        .finally(() => this.#underWay.delete(end));
    });
  }

  /**
   * Begins a fault. Undefined if no stream is open that it could strike.
   * @param onNever called if no request follows that the fault could strike
   */
  begin(fault: NetworkFault, onNever?: () => void): BegunFault | undefined {
    switch (fault.fault) {
      case 'streams break':
        return this.breakStreams() > 0 ? { ms: 0, end: () => {} } : undefined;
      case 'streams stall': {
        if (this.#lines.size === 0) return undefined;
        const stall = {};
        this.#stalls.add(stall);
        for (const line of this.#lines.keys()) line.hold();
        return { ms: fault.ms, end: () => this.#endStall(stall) };
      }
      case 'partition': {
        const partition = {};
        this.#partitions.add(partition);
        this.breakStreams();
        return { ms: fault.ms, end: () => this.#partitions.delete(partition) };
      }
      case 'request lost':
      case 'answer lost':
      case 'request delayed':
      case 'answer delayed':
        this.#strikeNext(fault, onNever);
        return { ms: 0, end: () => {} };
    }
  }

  #strikeNext(mishap: Mishap, onNever: () => void = () => {}): void {
    this.#mishaps.push({ mishap, onNever });
  }

  /** Cancels all faults that have not struck yet. */
  calm(): void {
    for (const { onNever } of this.#mishaps.splice(0)) onNever();
  }

  /** True if a fault waits for the next request. */
  get strikesNext(): boolean {
    return this.#mishaps.length > 0;
  }

  get openStreams(): number {
    return this.#lines.size;
  }

  #endStall(stall: object): void {
    this.#stalls.delete(stall);
    if (this.#stalls.size > 0) return;
    for (const line of this.#lines.keys()) line.release();
  }

  breakStreams(why = 'the network broke the stream off'): number {
    const open = [...this.#lines];
    this.#lines.clear();
    for (const [line, stream] of open) {
      stream?.abort();
      line.cut(why);
    }
    return open.length;
  }

  /** The target is about to end the streams on request. */
  expectDrop(): void {
    for (const line of this.#lines.keys())
      line.expectEnd('the target was told to drop its streams');
  }

  /** The backend was killed: everything under way breaks off, and nothing answers until `comeUp`. */
  goDown(): void {
    this.#isDown = true;
    for (const end of this.#underWay) end();
    this.breakStreams('the target was killed');
  }

  comeUp(): void {
    this.#isDown = false;
  }
}

/** The networks of all parties of a target, by the name of the party. */
export class FaultyNetworks extends Map<string, Network> {
  readonly #pausedMs: () => number;

  /** @param pausedMs remaining pause of the target's host, in milliseconds */
  constructor(pausedMs: () => number = () => 0) {
    super();
    this.#pausedMs = pausedMs;
  }

  /** Puts a network between a party and its backend. */
  between(party: string, direct: Transport) {
    const network = new Network(direct, this.#pausedMs);
    this.set(party, network);
    return { transport: network.transport, way: () => network.way() };
  }
}

/** Time after which a party gives up reaching a target that does not answer. */
const unreachableMs = 2_000;

import { orderOfEscrow } from '../../reference/core/lifecycle/ledger.ts';
import { deadlinesOf, ownersOf } from '../../reference/core/state-queries.ts';
import type { World } from '../../reference/http/index.ts';
import type { EmbeddedTarget } from '../../target/embedded/embedded.ts';
import type { Disk } from './disk.ts';
import type { FaultyNetworks } from '../../client/faulty-network.ts';
import type { Outages, PausedClock } from './outages.ts';

/** One end of a target's life and the beginning of the next. */
export interface Restart {
  /** When it was killed. */
  readonly at: number;
  /**
   * `at rest`: when nothing was under way. Otherwise in the middle of a write, of which all is left (`kept`) or not
   * (`torn`).
   */
  readonly killed: 'at rest' | 'write kept' | 'write torn';
  readonly whileSettling: boolean;
  /** True if a deadline passed while the target was down. */
  readonly withDue: boolean;
  readonly before: World;
  readonly after: World;
}

export interface LivesContext {
  readonly disk: Disk;
  readonly target: Pick<EmbeddedTarget, 'world' | 'kill' | 'startAgain'>;
  readonly networks: FaultyNetworks;
  readonly host: PausedClock;
  readonly outages: Outages;
  readonly onRestart: (restart: Restart) => void;
}

/** Time after which a world that could not keep a deadline tries again. */
const retryMs = 1_000;

/** The lives of a target. Each one begins from the disk that the one before has left. */
export class TargetLives {
  readonly #context: LivesContext;
  /** Present while the target is down: begins the next life. */
  #begin: (() => void) | undefined;
  #onNever: (() => void) | undefined;

  constructor(context: LivesContext) {
    this.#context = context;
  }

  get isUp(): boolean {
    return this.#begin === undefined;
  }

  /** Ends this life while nothing is under way, and begins the next one later. Returns the delay that was granted. */
  restart(ms: number): number {
    return this.#end('at rest', 0, ms);
  }

  /**
   * As `restart`, but in the middle of the next write, of which `lostBytes` bytes are lost.
   * @param onNever called if nothing more is written before `calm`
   */
  restartInWrite(lostBytes: number, ms: number, onNever: () => void): void {
    const killed = lostBytes === 0 ? 'write kept' : 'write torn';
    this.#onNever?.();
    this.#onNever = onNever;
    this.#context.disk.strikeInWrite(() => {
      this.#onNever = undefined;
      this.#end(killed, lostBytes, ms);
    });
  }

  /** Cancels a restart that has not struck yet. */
  calm(): void {
    this.#context.disk.calm();
    this.#onNever?.();
    this.#onNever = undefined;
  }

  /** Fills the disk until `makeRoom`. Returns how long that may last. */
  fillDisk(ms: number): number {
    const { disk, host, outages } = this.#context;
    const grantedMs = outages.begin(host.now(), ms, retryMs);
    if (grantedMs > 0) disk.fill();
    return grantedMs;
  }

  makeRoom(): void {
    this.#context.disk.makeRoom();
    this.#begin?.();
  }

  #end(killed: Restart['killed'], lostBytes: number, ms: number): number {
    const { disk, target, networks, host, outages, onRestart } = this.#context;
    const before = target.world;
    const state = before.state();
    disk.cutOff(lostBytes);
    target.kill();
    for (const network of networks.values()) network.goDown();
    const downMs = outages.begin(host.now(), ms);
    const at = host.now();
    const upAt = at + downMs;
    const begin = (): void => {
      // Room may be made in the very moment in which the life is to begin: it must begin only once.
      if (this.#begin !== begin || host.now() < upAt) return;
      const journal = disk.open(host.now());
      // Without room the target cannot even begin; `makeRoom` calls again.
      if (!journal) return;
      this.#begin = undefined;
      target.startAgain(journal);
      for (const network of networks.values()) network.comeUp();
      const whileSettling = ownersOf(state).some((owner) => orderOfEscrow(owner) !== undefined);
      const withDue = deadlinesOf(state).some(({ at }) => at <= host.now());
      onRestart({ at, killed, whileSettling, withDue, before, after: target.world });
    };
    this.#begin = begin;
    if (downMs > 0) host.at(upAt, begin);
    else begin();
    return downMs;
  }
}

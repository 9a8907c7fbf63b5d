import type { Command, Fault, Reply } from '../../core/contract.ts';
import { balancesOf, policyOf } from '../../core/index.ts';
import { createMachine, type EventTail, PendingDeadlines } from '../../journal/index.ts';
import type { Random } from '../../../random/random.ts';
import { endpoints } from '../../../spec/endpoints.ts';
import { tamperContexts, tamperHooks } from '../tamper-hooks.ts';
import type { Problem } from '../wire/problems.ts';
import { createDeadlineTimer } from './deadline-timer.ts';
import { createDurability } from './durability.ts';
import { createEventDelivery } from './event-delivery.ts';
import { replayJournal } from './recovery.ts';
import { worldConfigOf, type WorldOptions } from './world-options.ts';
import { WorldTime } from './world-time.ts';

type WorldRequest = Omit<Extract<Command, { readonly type: 'request' }>, 'type' | 'entropy'>;

/** A reply of the core, or the problem that the journal has no room and nothing has happened. */
export type Answer = Reply | { readonly ok: false; readonly error: Problem };

/** Owner of the only state: carries out the results of the core, in the order of time. */
export type World = ReturnType<typeof createWorld>;

/** For reads: the core assigns no id, so it gets no random digits. */
const noEntropy = '0'.repeat(32);

const unavailable: Answer = {
  ok: false,
  error: {
    code: 'unavailable',
    detail: 'the journal has no room, and nothing has happened: ask again later',
    headers: { 'retry-after': '1' },
  },
};

export function createWorld(options: WorldOptions) {
  const { clock, tamper, journal } = options;
  const config = journal?.head.config ?? worldConfigOf(options);
  const { parties } = config;
  const contents = journal?.contents;
  const epoch = journal?.epoch ?? 1;
  const entropy = options.entropy ?? entropyOf(options, tamper?.recovery?.sameDraws ? 1 : epoch);
  const time = new WorldTime(clock, contents?.at);
  const tamperContext = tamperContexts(parties, () => ({
    now: time.latest,
    state: machine.state,
  }));
  const policy = options.policy ?? policyOf(options.assignment);
  const pending = journal && new PendingDeadlines();
  const machine = createMachine({
    config,
    startedAt: journal?.head.startedAt ?? time.latest,
    hooks: tamperHooks(tamper, policy, tamperContext),
    snapshot: contents?.snapshot,
    pending,
  });
  const durability =
    journal &&
    pending &&
    createDurability({
      journal,
      machine,
      pending,
      time,
      recordWithoutEffect: tamper !== undefined,
      onRolledBack: () => timer.restart(pending.list()),
    });
  const writer = durability?.writer;
  const timer = createDeadlineTimer({
    clock,
    time,
    carryOut(deadline) {
      const command = { type: 'due', deadline, entropy: entropy() } as const;
      apply(command, Math.max(deadline.at, machine.carriedOut));
    },
    onFired: () => writer?.commit(),
    notBefore: () => durability?.retryAt() ?? Number.NEGATIVE_INFINITY,
  });
  const delivery = createEventDelivery({
    clock,
    time,
    parties,
    tamper,
    tamperContext,
    onceDurable(work) {
      if (writer) writer.after((outcome) => outcome === 'kept' && work());
      else work();
    },
    onSent: (event) => durability?.tails.push(event),
  });

  function apply(command: Command, at: number): Reply {
    const { reply, events, deadlines, effect } = machine.apply(command, at);
    durability?.record(command, at, events.length, effect);
    for (const deadline of deadlines) timer.schedule(deadline);
    for (const event of events) delivery.publish(event);
    return reply;
  }

  function fireDueAndApply(command: Command, answer: (answer: Answer) => void): void {
    const instant = time.now();
    timer.fireDue(instant);
    const reply = apply(command, instant);
    timer.arm();
    if (!writer) return answer(reply);
    writer.after((outcome) => answer(outcome === 'kept' ? reply : unavailable));
    writer.commit();
  }

  /** Calls back after everything in the answer is on disk; before it returns if there is no journal. */
  function ask(request: WorldRequest, answer: (answer: Answer) => void): void {
    const draws = endpoints[request.endpoint].method !== 'GET';
    fireDueAndApply(
      { type: 'request', ...request, entropy: draws ? entropy() : noEntropy },
      answer,
    );
  }

  if (contents && durability && pending) {
    const tamperOfRecovery = { tamper: tamper?.recovery, tamperContext };
    replayJournal(contents.records, { machine, pending, time, delivery, ...tamperOfRecovery });
    time.endReplay(contents.at);
    durability.markDurable();
    timer.restart(pending.list());
    // Deadlines that passed while no process ran are carried out now, each as of its own moment.
    timer.fireDue(time.now());
    durability.writer.commit();
  }

  return {
    options,
    /** Complete initial configuration of the core. */
    config,
    /** Number of this life among all lives of the world with the same journal: 1 for the first. */
    epoch,
    /** Never goes back, even if the host's clock does. */
    now: () => time.now(),
    state: () => machine.state,
    /** Balances of the party with this name: decimal strings by currency. */
    balances(name: string): Readonly<Record<string, string>> {
      const party = options.parties.find((one) => one.name === name);
      return party ? balancesOf(machine.state, party.partyId) : {};
    },
    ask,
    /** For a world without a journal. */
    request(asked: WorldRequest): Reply {
      let reply: Answer | undefined;
      ask(asked, (answer) => (reply = answer));
      if (!reply || (!reply.ok && reply.error.code === 'unavailable'))
        throw new Error('a world with a journal answers later');
      return reply as Reply;
    },
    /** Sets a fault for one order, the `next` one or `all`; null removes it. Calls back as `ask`. */
    fault(target: string, fault: Fault | null, answer: (answer: Answer) => void = () => undefined) {
      fireDueAndApply({ type: 'fault', target, fault }, answer);
    },
    /** Writes the time of a virtual clock to the journal; calls back after it and all earlier records are on disk. */
    keepTime(done: (outcome: 'kept' | 'lost') => void): void {
      if (!writer) return done('kept');
      writer.append({ kind: 'clock', at: time.now() });
      writer.after(done);
      writer.commit();
    },
    subscribe: delivery.subscribe,
    /** The last events that were sent to a party, in this life or before; undefined if there is no journal. */
    sent: (partyId: string): EventTail | undefined => durability?.tails.of(partyId),
    tamperContext,
    /** Calls back when no earlier request waits for the disk, or at once if the writer has stopped. */
    settled(done: () => void): void {
      if (!writer || writer.stopped) done();
      else writer.after(() => done());
    },
    /** Forgets all deadlines and delayed events; nothing fires or is written afterwards. */
    close(): void {
      writer?.stop();
      timer.stop();
      delivery.stop();
    },
  };
}

/** A random stream that no other life of the same world draws from. */
export const randomOfLife = ({ epoch }: { readonly epoch: number }, random: Random): Random =>
  epoch === 1 ? random : random.fork(`epoch ${epoch}`);

function entropyOf({ random }: WorldOptions, epoch: number): () => string {
  const draws = randomOfLife({ epoch }, random.fork('entropy'));
  return () => draws.hex(32);
}

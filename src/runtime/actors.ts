import { AsyncLocalStorage } from 'node:async_hooks';

/** Whatever acts by itself. It is busy unless something it started on the timeline is still to come. */
export interface Actor {
  readonly name: string;
  /** Its waits never make time move. */
  readonly background: boolean;
  pending: number;
  ended: boolean;
  readonly fail: (error: Error) => void;
}

/** Where a call comes from: the actor, and the turn whose work it is part of. */
interface Place {
  readonly actor: Actor | undefined;
  readonly turn?: object;
}

/** One for all timelines: on Node 20 every further one makes every promise in the process dearer. */
const places = new AsyncLocalStorage<{ readonly of: Actors; readonly place: Place }>();

export interface Actors {
  /** How many hold time still. */
  busy(): number;
  /** Goes up with everything that any of them does. */
  progress(): number;
  busyNames(): readonly string[];
  /** The actor that makes the present call; undefined outside of all that still run. */
  current(): Actor | undefined;
  currentTurn(): object | undefined;
  enter<T>(place: Place, body: () => T): T;
  start(name: string, kind: 'act' | 'background', fail: (error: Error) => void): Actor;
  end(actor: Actor): void;
  /** The actor, if any, waits for one thing more; for one less. */
  pause(actor: Actor | undefined): void;
  resume(actor: Actor | undefined): void;
  failAll(error: Error): void;
}

export function createActors(): Actors {
  const running = new Set<Actor>();
  let busy = 0;
  let progress = 0;

  function place(): Place | undefined {
    const store = places.getStore();
    return store?.of === actors ? store.place : undefined;
  }

  function current(): Actor | undefined {
    const actor = place()?.actor;
    return actor?.ended ? undefined : actor;
  }

  const actors: Actors = {
    busy: () => busy,
    progress: () => progress,
    busyNames: () => [...running].filter((actor) => actor.pending === 0).map(({ name }) => name),
    current,
    currentTurn: () => place()?.turn,
    enter: (where, body) => places.run({ of: actors, place: where }, body),
    start(name, kind, fail) {
      const parent = kind === 'act' ? current() : undefined;
      const actor: Actor = {
        name: parent ? `${parent.name} > ${name}` : name,
        background: parent?.background ?? kind === 'background',
        pending: 0,
        ended: false,
        fail,
      };
      running.add(actor);
      busy += 1;
      progress += 1;
      return actor;
    },
    end(actor) {
      if (actor.ended) return;
      actor.ended = true;
      running.delete(actor);
      progress += 1;
      if (actor.pending === 0) busy -= 1;
    },
    pause(actor) {
      progress += 1;
      if (!actor) return;
      if (actor.pending === 0 && !actor.ended) busy -= 1;
      actor.pending += 1;
    },
    resume(actor) {
      progress += 1;
      if (!actor) return;
      actor.pending -= 1;
      if (actor.pending === 0 && !actor.ended) busy += 1;
    },
    failAll(error) {
      for (const actor of running) actor.fail(error);
    },
  };
  return actors;
}

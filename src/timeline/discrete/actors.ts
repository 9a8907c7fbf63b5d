/** An independent activity. It is busy unless it has not begun, or something it started on the timeline is pending. */
export interface Actor {
  readonly name: string;
  /** Its waits never make time move. */
  readonly background: boolean;
  pending: number;
  ended: boolean;
  /** Number of turns since it last waited for anything else, and the moment when the first of them began. */
  chain: { readonly since: number; turns: number } | undefined;
  readonly fail: (error: Error) => void;
}

/** An actor whose wait is over, and the function that lets it go on. */
export interface ReadyActor {
  readonly actor: Actor | undefined;
  readonly resume: () => void;
}

export type Actors = ReturnType<typeof createActors>;

export function createActors() {
  const running = new Set<Actor>();
  let busy = 0;
  let progress = 0;
  let last: Actor | undefined;

  const current = (): Actor | undefined => (last?.ended ? undefined : last);

  return {
    /** Number of running actors. */
    count: (): number => running.size,
    /** Number of actors that hold time still. */
    busy: (): number => busy,
    /** Counter that goes up with every action of any actor. */
    progress: (): number => progress,
    busyNames: (): readonly string[] =>
      [...running].filter((actor) => actor.pending === 0).map(({ name }) => name),
    /** The actor that goes on right now; undefined outside of all running actors. */
    current,
    /** Makes one that waits to begin. */
    start(name: string, kind: 'act' | 'background', fail: (error: Error) => void): Actor {
      const parent = kind === 'act' ? current() : undefined;
      const actor: Actor = {
        name: parent ? `${parent.name} > ${name}` : name,
        background: parent?.background ?? kind === 'background',
        pending: 1,
        ended: false,
        chain: undefined,
        fail,
      };
      running.add(actor);
      progress += 1;
      return actor;
    },
    end(actor: Actor): void {
      if (actor.ended) return;
      actor.ended = true;
      running.delete(actor);
      progress += 1;
      if (actor.pending === 0) busy -= 1;
    },
    /** The actor, if any, waits for one thing more. */
    pause(actor: Actor | undefined): void {
      progress += 1;
      if (!actor) return;
      if (actor.pending === 0 && !actor.ended) busy -= 1;
      actor.pending += 1;
    },
    /** The actor, if any, waits for one thing less: from now on it is the current one. */
    resumeActor(actor: Actor | undefined): void {
      progress += 1;
      last = actor;
      if (!actor) return;
      actor.pending -= 1;
      if (actor.pending === 0 && !actor.ended) busy += 1;
    },
    /** Unsets the current actor. */
    rest(): void {
      last = undefined;
    },
    failAll(error: Error): void {
      for (const actor of running) actor.fail(error);
    },
  };
}

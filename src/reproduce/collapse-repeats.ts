/** A step of a scenario, as its keys and values. */
export type WrittenStep = Readonly<Record<string, unknown>>;

/** The steps within a step. */
const within = ({ steps }: WrittenStep): readonly WrittenStep[] =>
  Array.isArray(steps) ? (steps as readonly WrittenStep[]) : [];

/** Number of steps, those within others included. */
export const countSteps = (steps: readonly WrittenStep[]): number =>
  steps.reduce((sum, step) => sum + 1 + countSteps(within(step)), 0);

/** A run of repeated steps. */
interface Run {
  readonly size: number;
  readonly times: number;
  /** Number of steps saved for a reader. */
  readonly saved: number;
}

/** A step read once: a flow is compared with itself at every step, and a value may be as long as a body. */
interface ReadStep {
  readonly step: WrittenStep;
  /** Equal for steps that differ only in their names. */
  readonly kind: number;
  readonly names: readonly string[];
}

/**
 * The steps of a flow with repeated ones written once, under `repeat`. Repeated steps differ only in the names that they
 * save. Names saved within a repetition are local, so no other step may use them.
 */
export function collapseRepeats(written: readonly WrittenStep[]): readonly WrittenStep[] {
  const steps = readSteps(written);
  const users = usersOf(steps);
  const collapsed: WrittenStep[] = [];
  for (let from = 0; from < steps.length; ) {
    const run = longestRun(steps, from, users);
    const round = written.slice(from, from + (run?.size ?? 1));
    collapsed.push(...(run ? [{ repeat: run.times, steps: round }] : round));
    from += run ? run.size * run.times : 1;
  }
  return collapsed;
}

function readSteps(steps: readonly WrittenStep[]): readonly ReadStep[] {
  const kinds = new Map<string, number>();
  return steps.map((step) => {
    const names: string[] = [];
    const text = JSON.stringify(step, (key, value: unknown) =>
      typeof value === 'string' ? withoutNames(key, value, names) : value,
    );
    const kind = kinds.get(text) ?? kinds.size;
    kinds.set(text, kind);
    return { step, kind, names };
  });
}

/** For each name, the first and the last step that contain it. */
type Users = ReadonlyMap<string, readonly [first: number, last: number]>;

function usersOf(steps: readonly ReadStep[]): Users {
  const users = new Map<string, readonly [number, number]>();
  for (const [at, { names }] of steps.entries()) {
    for (const name of names) users.set(name, [users.get(name)?.[0] ?? at, at]);
  }
  return users;
}

function longestRun(steps: readonly ReadStep[], from: number, users: Users): Run | undefined {
  let best: Run | undefined;
  for (let size = 1; size <= (steps.length - from) / 2; size += 1) {
    const round = (index: number) => steps.slice(from + index * size, from + (index + 1) * size);
    const first = round(0);
    let times = 0;
    for (let next = first; next.length === size; next = round(times)) {
      if (!isAlone(next, from + times * size, users) || !isSame(first, next)) break;
      times += 1;
    }
    const saved = (times - 1) * countSteps(first.map(({ step }) => step)) - 1;
    if (saved > (best?.saved ?? 0)) best = { size, times, saved };
  }
  return best;
}

/** True if no other step uses the names that these steps save. */
const isAlone = (steps: readonly ReadStep[], from: number, users: Users): boolean =>
  [...savedIn(steps).keys()].every((name) => {
    const [first, last] = users.get(name) ?? [from, from];
    return first >= from && last < from + steps.length;
  });

/** True if the steps are equal except for the names that they save. */
function isSame(some: readonly ReadStep[], others: readonly ReadStep[]): boolean {
  const own = savedIn(some);
  const ofOthers = savedIn(others);
  return some.every(({ kind, names }, at) => {
    const other = others[at];
    return (
      kind === other?.kind &&
      names.every((name, n) => {
        const otherName = other.names[n] ?? '';
        const place = own.get(name);
        return place === ofOthers.get(otherName) && (place !== undefined || name === otherName);
      })
    );
  });
}

/** Names that steps save, each with its position. */
const savedIn = (steps: readonly ReadStep[]): ReadonlyMap<string, number> =>
  new Map(
    steps
      .flatMap(({ step: { save } }) => (typeof save === 'string' ? [save] : []))
      .map((name, place) => [name, place]),
  );

/** Replaces each name in expressions and in `save` by a mark. Fields after a name stay. Adds the names to `names`. */
function withoutNames(key: string, text: string, names: string[]): string {
  const marked = (piece: string): string =>
    piece.replace(/(?<![.\w])[A-Za-z_]\w*/g, (name) => {
      names.push(name);
      return '\u0000';
    });
  return key === 'save' ? marked(text) : text.replace(/\$\{[^}]*\}|\$\w+/g, marked);
}

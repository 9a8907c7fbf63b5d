/** A step of a flow as it is written, with the name that it saves. */
export interface WrittenStep {
  readonly lines: readonly string[];
  readonly saves?: string;
}

/** A run of steps that are repeated so often. */
interface Run {
  readonly size: number;
  readonly times: number;
  /** How many steps less there are to read. */
  readonly saved: number;
}

/**
 * The lines of a flow in which steps that follow each other again and again stand once, under `repeat`. They are the same
 * but for the names that they save; and since what a repetition saves is its own, nothing else may use these.
 */
export function foldedLines(steps: readonly WrittenStep[]): string[] {
  const lines: string[] = [];
  for (let from = 0; from < steps.length; ) {
    const run = longestRun(steps, from);
    const round = steps.slice(from, from + (run?.size ?? 1)).flatMap((step) => step.lines);
    if (!run) lines.push(...round);
    else lines.push(`- repeat: ${run.times}`, '  steps:', ...round.map((line) => `    ${line}`));
    from += run ? run.size * run.times : 1;
  }
  return lines;
}

const headsIn = (steps: readonly WrittenStep[]): number =>
  steps.flatMap(({ lines }) => lines).filter((line) => line.startsWith('- ')).length;

function longestRun(steps: readonly WrittenStep[], from: number): Run | undefined {
  let best: Run | undefined;
  for (let size = 1; size <= (steps.length - from) / 2; size += 1) {
    const round = (index: number) => steps.slice(from + index * size, from + (index + 1) * size);
    const first = textOf(round(0));
    let times = 0;
    while (round(times).length === size && isAlone(steps, from + times * size, size)) {
      if (textOf(round(times)) !== first) break;
      times += 1;
    }
    const saved = (times - 1) * headsIn(round(0)) - 1;
    if (saved > (best?.saved ?? 0)) best = { size, times, saved };
  }
  return best;
}

/** Whether nobody else uses what these steps save. */
function isAlone(steps: readonly WrittenStep[], from: number, size: number): boolean {
  const own = new Set(steps.slice(from, from + size).flatMap(({ saves }) => saves ?? []));
  const others = [...steps.slice(0, from), ...steps.slice(from + size)];
  let isUsed = false;
  for (const { lines } of others) {
    for (const line of lines) withNames(line, (name) => ((isUsed ||= own.has(name)), name));
  }
  return !isUsed;
}

/** What steps say, whatever they call what they save. */
function textOf(steps: readonly WrittenStep[]): string {
  const own = steps.flatMap(({ saves }) => saves ?? []);
  const rename = (name: string): string => {
    const place = own.indexOf(name);
    return place === -1 ? name : `#${place}`;
  };
  return steps.flatMap(({ lines }) => lines.map((line) => withNames(line, rename))).join('\n');
}

/** A line with other names in its expressions, and where it saves one; fields of what is named stay. */
const withNames = (line: string, rename: (name: string) => string): string =>
  line.replace(/\$\{[^}]*\}|\$\w+|^ *save: \w+/g, (piece) =>
    piece.replace(/(?<![.\w])[A-Za-z_]\w*/g, (name) => (name === 'save' ? name : rename(name))),
  );

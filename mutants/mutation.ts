import type { Policy } from '../src/reference/core/index.ts';
import type { Tamper } from '../src/reference/http/index.ts';
import type { ExcuseId } from '../src/spec/excuses.ts';
import { type RequirementId, requirements } from '../src/spec/requirements/index.ts';
import type { Part } from '../src/spec/vocabulary.ts';
import { type Fields, type To, type When, changed } from './defects/answers.ts';
import type { Where } from './defects/context.ts';
import { type Defects, defects } from './defects/index.ts';

/** Definition of a mutation. */
export interface Written {
  readonly id: string;
  /** Requirements that it breaks; the one that it is about comes first. Others may break with them. */
  readonly breaks: readonly [RequirementId, ...RequirementId[]];
  /** Description of the defect, as a sentence. */
  readonly summary: string;
  /** The excuse behind which it might hide. */
  readonly inside?: ExcuseId;
  /** Made anew for each world, so that nothing is remembered from one to the next. */
  readonly tamper: () => Tamper;
}

/** The reference with one mistake that an implementer of the document might make. */
export interface Mutation extends Written {
  /** Part of the document that states the broken requirement. */
  readonly part: Part;
}

export const placed = (written: Written): Mutation => ({
  ...written,
  part: requirements[written.breaks[0]].part,
});

/** A mutation that still needs its summary. `also` adds requirements that do not fit on the first line. */
interface Named {
  also(...more: readonly RequirementId[]): Named;
  /** Marks a defect whose author would claim that an excuse covers it. */
  inside(excuse: ExcuseId): Named;
  summary(text: string): Made;
}

/** Other members of one section of the policy: as overloads, one for each section, so that each knows its members. */
type Rule = {
  [K in keyof Policy]: (
    of: (name: K, change: (own: Policy[K]) => Partial<Policy[K]>) => Written,
  ) => void;
}[keyof Policy] extends (of: infer I) => void
  ? I
  : never;

/** The last word of a mutation is its defect: `.drop(...)`, `.set(...)`, and so on. */
type Made = {
  readonly [K in Exclude<keyof Defects, 'rule'>]: (...of: Parameters<Defects[K]>) => Written;
} & {
  readonly rule: Rule;
  /** Conditions on a resource or on its caller: all of them must hold. */
  when(...conditions: readonly When[]): {
    set(where: Where, fields: Fields): Written;
    change(where: Where, field: string, to: To): Written;
    drop(where: Where, ...names: readonly string[]): Written;
  };
};

/** Defines a mutation in three lines: its id with the broken requirements, its summary, its defect. */
export const mutation = (id: string, ...breaks: Written['breaks']): Named => named({ id, breaks });

const named = (known: Pick<Written, 'id' | 'breaks' | 'inside'>): Named => ({
  also: (...more) => named({ ...known, breaks: [...known.breaks, ...more] }),
  inside: (inside) => named({ ...known, inside }),
  summary: (summary) => madeBy((tamper) => ({ ...known, summary, tamper })),
});

function madeBy(write: (tamper: () => Tamper) => Written): Made {
  const made = Object.entries(defects).map(([name, defect]) => [
    name,
    (...of: never[]) => write((defect as (...of: never[]) => () => Tamper)(...of)),
  ]);
  const when: Made['when'] = (...conditions) => {
    const all: When = (...of) => conditions.every((condition) => condition(...of));
    return {
      set: (where, fields) => write(defects.setWhen(where, all, fields)),
      change: (where, field, to) => write(defects.setWhen(where, all, changed(field, to))),
      drop: (where, ...names) => write(defects.dropWhen(where, all, ...names)),
    };
  };
  return { ...Object.fromEntries(made), when } as Made;
}

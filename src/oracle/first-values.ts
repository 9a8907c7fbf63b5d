import type { RequirementId } from '../spec/requirements/index.ts';
import { equalValues } from '../protocol/equality.ts';
import { isSet } from '../protocol/json.ts';
import type { Findings } from './findings.ts';
import type { Snapshot } from './trace/snapshots.ts';

interface First {
  readonly value: unknown;
  readonly source: string;
  /** When it was seen for certain. */
  readonly close: number;
}

/** Remembers the first value of each field that was set. */
export class FirstValues {
  readonly #first = new Map<string, First>();

  /** The first value of a field that is set again; undefined for the first value itself, and for an unset field. */
  before(field: string, { value, source, close }: Snapshot): First | undefined {
    const found = value[field];
    if (!isSet(found)) return undefined;
    const first = this.#first.get(field);
    if (!first) this.#first.set(field, { value: found, source, close });
    return first;
  }

  get(field: string): First | undefined {
    return this.#first.get(field);
  }
}

/**
 * Judges each field of a snapshot by the value that it had first.
 * @param isOpen true if an open question may still excuse a changed field
 */
export function assertUnchanged<Id extends RequirementId>(
  findings: Findings<Id>,
  fields: readonly { readonly field: string; readonly requirement: Id }[],
  firsts: FirstValues,
  snapshot: Snapshot,
  what: string,
  isOpen: (requirement: Id) => boolean = () => true,
): void {
  const { value, source, via } = snapshot;
  for (const { field, requirement } of fields) {
    const first = firsts.before(field, snapshot);
    if (!first) continue;
    const now = value[field];
    const same = first.value === now || equalValues(field, first.value, now);
    findings.assert(requirement, same, source, () => ({
      message: `${field} of ${what} was not what it had been (${via})`,
      fields: [field],
      expected: first.value,
      actual: now,
      evidence: [first.source, source],
      ...(!isOpen(requirement) && { closed: true }),
    }));
  }
}

/** One requirement for each of some fields. */
export const all = <Id extends RequirementId>(requirement: Id, fields: readonly string[]) =>
  fields.map((field) => ({ field, requirement }));

import type { Tamper } from '../reference/http/index.ts';
import { canaries, canaryNamed } from '../../mutants/canaries/index.ts';
import { mutationNamed, mutations } from '../../mutants/index.ts';
import { suggestion } from '../yaml/index.ts';
import { usageFailure } from './command.ts';

/** Tamper of the mutation or canary that `--mutation` names. Throws a usage failure if there is none. */
export function findTamper(id: string): Tamper {
  const mutation = mutationNamed(id) ?? canaryNamed(id);
  if (mutation) return mutation.tamper();
  const known = [...mutations, ...canaries].map((one) => one.id);
  const next = suggestion(id, known) ?? `there are ${mutations.length} mutations: docs/judge.md`;
  throw usageFailure(`no mutation is named ${JSON.stringify(id)}`, next);
}

/** The defect of `--mutation`, made anew for each world. Throws a usage failure at once if there is none of this name. */
export function tampersOf(id: string | undefined): (() => Tamper) | undefined {
  if (id === undefined) return undefined;
  findTamper(id);
  return () => findTamper(id);
}

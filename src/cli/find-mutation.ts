import type { Tamper } from '../reference/http/index.ts';
import { mutationNamed, mutations } from '../../mutants/index.ts';
import { suggestion } from '../yaml/index.ts';
import type { Terminal } from './terminal.ts';
import { complain } from './complain.ts';

/** What breaks the reference as a flag asks; after having said what is wrong with it, `unknown`. */
export function findTamper(
  id: string | undefined,
  terminal: Terminal,
): Tamper | undefined | 'unknown' {
  if (id === undefined) return undefined;
  const mutation = mutationNamed(id);
  if (mutation) return mutation.tamper();
  const known = mutations.map((one) => one.id);
  const next = suggestion(id, known) ?? `there are ${known.length} mutations: docs/judge.md`;
  complain(terminal, `no mutation is named ${JSON.stringify(id)}`, next);
  return 'unknown';
}

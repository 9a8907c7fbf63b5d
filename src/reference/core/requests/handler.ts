import type { Reply } from '../contract.ts';
import type { Refusal } from '../refusal.ts';
import { refuse } from '../refusal.ts';
import type { Request, UnitOfWork } from '../unit-of-work.ts';

export type Handler = (work: UnitOfWork, request: Request) => Reply;

export type ReadResult<Input> = { readonly ok: true; readonly input: Input } | Refusal;

function checkRole(work: UnitOfWork, { endpoint, caller }: Request): Refusal | undefined {
  const allowed = work.policy.access.roles[endpoint];
  if (allowed.includes(caller.role)) return undefined;
  const detail = `this is for ${allowed.join(' and ')}, and the caller is a ${caller.role}`;
  return refuse('role_not_allowed', detail);
}

/**
 * One order of refusals for every request: the form of the input, the role, then the checks of the action (access of
 * the caller first, the state last).
 */
export const handlerOf =
  <Input>(
    read: (work: UnitOfWork, request: Request) => ReadResult<Input>,
    act: (work: UnitOfWork, request: Request, input: Input) => Reply,
  ): Handler =>
  (work, request) => {
    const form = read(work, request);
    if (!form.ok) return form;
    return checkRole(work, request) ?? act(work, request, form.input);
  };

/** Handler of a request without input beyond its path. */
export const withoutInput = (act: Handler): Handler =>
  handlerOf(() => ({ ok: true, input: undefined }), act);

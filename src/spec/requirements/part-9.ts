import { must, needsSender, notObservable } from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 9. */
export const versionRequirements = {
  'version.prefix': must('9.1', 'All business endpoints are below `/api/v1`.', needsSender),
  'version.schema-pinned': must('9.2', '`schema_version` is `v2`.', needsSender),
  'version.client-checks': notObservable(
    '9.2',
    'A client checks `schema_version` before it trusts a shape.',
    'This binds clients, not backends; the suite itself does so before any check.',
  ),
} as const satisfies Record<string, Requirement>;

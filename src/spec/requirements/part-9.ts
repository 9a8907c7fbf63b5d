import { needs, notObservable, part } from './needs.ts';

/** Part 9. */
export const versionRequirements = {
  ...part('9.1', needs.sender, {
    'version.prefix': 'All business endpoints are below `/api/v1`.',
  }),
  ...part('9.2', needs.sender, {
    'version.schema-pinned': '`schema_version` is `v2`.',
    'version.client-checks': notObservable(
      'A client checks `schema_version` before it trusts a shape.',
      'This binds clients, not backends; the suite itself does so before any check.',
    ),
  }),
};

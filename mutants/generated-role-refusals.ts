import { endpoints } from '../src/spec/endpoints.ts';
import { guardedEndpoints } from '../src/spec/requirements/access.ts';
import { isRequirementId } from '../src/spec/requirements/index.ts';
import type { Written } from './mutation.ts';
import { lockedOut } from './wrong-role-access.ts';

/** Every endpoint shut for every role that it is for: made, not thought of. */
export const everyDoor: readonly Written[] = guardedEndpoints.flatMap((endpoint) =>
  endpoints[endpoint].roles.flatMap((role): Written[] => {
    const requirement = `access.${endpoint}.${role}-allowed`;
    if (!isRequirementId(requirement)) return [];
    return [
      {
        id: `${endpoint.replaceAll('.', '-')}-shut-for-${role}`,
        breaks: [requirement],
        summary: `The endpoint ${endpoint} refuses every ${role}.`,
        tamper: lockedOut(endpoint, role),
      },
    ];
  }),
);

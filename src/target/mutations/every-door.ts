import { endpoints } from '../../spec/endpoints.ts';
import { guardedEndpoints } from '../../spec/requirements/access.ts';
import { isRequirementId } from '../../spec/requirements/index.ts';
import type { Written } from './mutation.ts';
import { lockedOut } from './shut-doors.ts';

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

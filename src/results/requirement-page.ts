import { isRequirementId } from '../spec/requirements/index.ts';

/**
 * Path of a requirement's page below the root of the site (`npm run site`). Undefined if the catalogue does not have
 * the requirement, as for a user's own check.
 */
export const requirementPage = (id: string | undefined): string | undefined =>
  id !== undefined && isRequirementId(id) ? `docs/requirements/${id}.html` : undefined;

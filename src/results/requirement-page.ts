import { isRequirementId } from '../spec/requirements/index.ts';

/**
 * The page of a requirement below the root of the site (`npm run site`); undefined for one that is not of the
 * catalogue, as that of somebody's own check.
 */
export const requirementPage = (id: string | undefined): string | undefined =>
  id !== undefined && isRequirementId(id) ? `docs/requirements/${id}.html` : undefined;

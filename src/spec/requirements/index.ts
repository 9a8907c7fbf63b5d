import { accessRequirements, tokenRequirements } from './access.ts';
import {
  type FieldName,
  fieldRequirements,
  type Kebab,
  kebab,
  type TableName,
} from './families.ts';
import { serviceRequirements } from './part-1.ts';
import { envelopeRequirements } from './part-2-envelope.ts';
import { orderRequirements } from './part-2-order.ts';
import { otherResourceRequirements } from './part-2-resources.ts';
import { orderStateRequirements, quoteStateRequirements } from './part-3.ts';
import { makerEndpointRequirements } from './part-4-makers.ts';
import { orderEndpointRequirements } from './part-4-orders.ts';
import { authRequirements } from './part-5.ts';
import { makerEventRequirements } from './part-6-makers.ts';
import { orderEventRequirements } from './part-6-orders.ts';
import { errorRequirements, limitRequirements, versionRequirements } from './parts-7-to-9.ts';
import { prefaceRequirements } from './preface-conventions.ts';
import type { Role } from '../vocabulary.ts';
import { endpoints } from '../endpoints.ts';
import type { GuardedEndpoint } from './access.ts';
import type { Requirement } from './requirement.ts';

export * from './requirement.ts';
export {
  acceptanceFields,
  chosenFields,
  type FieldName,
  fieldTables,
  settlementFields,
  type TableName,
} from './families.ts';
export { guardedEndpoints, type GuardedEndpoint } from './access.ts';

/** Every testable statement of the document, by a stable name. */
export const requirements = {
  ...prefaceRequirements,
  ...serviceRequirements,
  ...accessRequirements,
  ...envelopeRequirements,
  ...fieldRequirements,
  ...orderRequirements,
  ...otherResourceRequirements,
  ...orderStateRequirements,
  ...quoteStateRequirements,
  ...orderEndpointRequirements,
  ...makerEndpointRequirements,
  ...tokenRequirements,
  ...authRequirements,
  ...orderEventRequirements,
  ...makerEventRequirements,
  ...errorRequirements,
  ...limitRequirements,
  ...versionRequirements,
} as const satisfies Record<string, Requirement>;
export type RequirementId = keyof typeof requirements;
export const requirementIds = Object.keys(requirements) as RequirementId[];

export const isRequirementId = (id: string): id is RequirementId => Object.hasOwn(requirements, id);

type FacetsOf<T extends TableName, F extends string> = RequirementId extends infer Id
  ? Id extends `${T}.${Kebab<F>}.${infer Facet}`
    ? Facet
    : never
  : never;

/** The id of one facet of one field, as `fieldRequirement('order', 'fx_rate', 'set-on-acceptance')`. */
export const fieldRequirement = <T extends TableName, F extends FieldName<T>>(
  table: T,
  field: F,
  facet: FacetsOf<T, F>,
): RequirementId => `${table}.${kebab(field)}.${facet}` as RequirementId;

/** The same for a field known only at run time; undefined where the catalogue has no such facet. */
export function findFieldRequirement(
  table: TableName,
  field: string,
  facet: string,
): RequirementId | undefined {
  const id = `${table}.${kebab(field)}.${facet}`;
  return isRequirementId(id) ? id : undefined;
}

/** The id of what a role may or may not do at an endpoint that wants a token. */
export function accessRequirement(endpoint: GuardedEndpoint, role: Role): RequirementId {
  const roles: readonly Role[] = endpoints[endpoint].roles;
  return `access.${endpoint}.${role}-${roles.includes(role) ? 'allowed' : 'refused'}` as RequirementId;
}

export const tokenRequirement = (endpoint: GuardedEndpoint): RequirementId =>
  `auth.${endpoint}.token-required`;

import { accessRequirements, tokenRequirements } from './access.ts';
import { type FieldName, fieldRequirements, type TableName } from './families.ts';
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
import { type Kebab, kebab } from './needs.ts';
import { type Role, roles } from '../vocabulary.ts';
import { endpoints } from '../endpoints.ts';
import type { AllowedId, GuardedEndpoint, RefusedId } from './access.ts';
import type { Requirement, Subject } from './requirement.ts';

export * from './requirement.ts';
export {
  acceptanceFields,
  chosenFields,
  type FieldName,
  fieldTables,
  settlementFields,
  type TableName,
  formOf,
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

/** Undefined for an id that is not in the catalogue, such as that of a user's own check. */
export const findRequirement = (id: string): Requirement | undefined =>
  isRequirementId(id) ? requirements[id] : undefined;
export const subjectOf = (id: string): Subject => findRequirement(id)?.about ?? {};

type FacetsOf<T extends TableName, F extends string> = RequirementId extends infer Id
  ? Id extends `${T}.${Kebab<F>}.${infer Facet}`
    ? Facet
    : never
  : never;

/** The id of one facet of one field, as `fieldRequirement('order', 'fx_rate', 'set-on-acceptance')`. */
export const fieldRequirement = <
  const T extends TableName,
  const F extends FieldName<T>,
  const Facet extends FacetsOf<T, F>,
>(
  table: T,
  field: F,
  facet: Facet,
): `${T}.${Kebab<F>}.${Facet}` & RequirementId =>
  `${table}.${kebab(field)}.${facet}` as `${T}.${Kebab<F>}.${Facet}` & RequirementId;

/** The ids of one facet, for all fields of a table. */
export type FacetId<T extends TableName, Facet extends string> = Extract<
  RequirementId,
  `${T}.${string}.${Facet}`
>;

/** The id of one facet of a field known only at run time; undefined if the catalogue has no such facet. */
export function findFieldRequirement<T extends TableName, const Facet extends string>(
  table: T,
  field: string,
  facet: Facet,
): FacetId<T, Facet> | undefined {
  const id: string = `${table}.${kebab(field)}.${facet}`;
  return isRequirementId(id) ? (id as FacetId<T, Facet>) : undefined;
}

/** The id that gives a role an endpoint that wants a token; undefined if the endpoint is not for that role. */
export function allowedRequirement<E extends GuardedEndpoint>(
  endpoint: E,
  role: Role,
): AllowedId<E> | undefined {
  const roles: readonly Role[] = endpoints[endpoint].roles;
  return roles.includes(role) ? (`access.${endpoint}.${role}-allowed` as AllowedId<E>) : undefined;
}

/** The ids that give endpoints to all roles that they are for. */
export const allowedRequirements = <E extends GuardedEndpoint>(
  names: readonly E[],
): readonly AllowedId<E>[] =>
  names.flatMap((name) => roles.flatMap((role) => allowedRequirement(name, role) ?? []));

/** The id that gives a role an endpoint that wants a token, or keeps the endpoint from it. */
export const accessRequirement = <E extends GuardedEndpoint>(
  endpoint: E,
  role: Role,
): AllowedId<E> | RefusedId<E> =>
  allowedRequirement(endpoint, role) ?? (`access.${endpoint}.${role}-refused` as RefusedId<E>);

export const tokenRequirement = <E extends GuardedEndpoint>(
  endpoint: E,
): `auth.${E}.token-required` => `auth.${endpoint}.token-required`;

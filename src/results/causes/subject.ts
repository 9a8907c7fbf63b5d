import { type EndpointName, endpoints } from '../../spec/endpoints.ts';
import { eventKinds, heartbeat } from '../../spec/events.ts';
import { fieldsOf } from '../../spec/fields.ts';
import { fieldTables, type TableName } from '../../spec/requirements/index.ts';

/** What a requirement is about, as far as its id says so. */
export interface Subject {
  readonly table?: TableName;
  readonly field?: string;
  readonly endpoint?: EndpointName;
  readonly event?: string;
}

const tables = Object.keys(fieldTables) as TableName[];
const kebab = (name: string): string => name.replaceAll('_', '-');

const fieldsByTable = new Map(
  tables.map((table) => [
    table,
    new Map(fieldsOf(fieldTables[table]).map(({ name }) => [kebab(name), name])),
  ]),
);

/** The name of every field of the document, by how ids of requirements write it. */
const anyField: ReadonlyMap<string, string> = new Map(
  [...fieldsByTable.values()].flatMap((fields) => [...fields]),
);

/** Names of fields that no sentence has for another reason: those of several words, and a few more. */
export const tellingFields: ReadonlySet<string> = new Set(
  [...anyField.values(), 'failure_reason', 'memo', 'pagination'].filter(
    (name) => name.includes('_') || name === 'memo' || name === 'pagination',
  ),
);

const events = new Map([...Object.keys(eventKinds), heartbeat].map((name) => [kebab(name), name]));
const isEndpoint = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);
const isTable = (name: string): name is TableName => Object.hasOwn(fieldTables, name);

/** Ids that begin otherwise than what they are about. */
const aliases: Readonly<Record<string, EndpointName>> = {
  'order.accept': 'quote.accept',
  'stream.intent-filter': 'order.events',
};

function endpointIn(parts: readonly string[]): EndpointName | undefined {
  const name = parts.slice(0, 2).join('.');
  return isEndpoint(name) ? name : aliases[name];
}

/** "returns-fx-rate", "has-status": what an operation or an event must carry. */
function carried(facet: string | undefined): string | undefined {
  const name = /^(?:returns|has|assigns|names)-(.+)$/.exec(facet ?? '')?.[1];
  return name === undefined ? undefined : anyField.get(name);
}

export function subjectOf(requirement: string): Subject {
  const parts = requirement.split('.');
  const [head = '', second = '', facet] = parts;
  if (head === 'access' || head === 'auth') {
    const endpoint = endpointIn(parts.slice(1));
    return endpoint === undefined ? {} : { endpoint };
  }
  if (head === 'event' || (head === 'limit' && second === 'heartbeat-interval')) {
    const event = head === 'limit' ? heartbeat : events.get(second);
    const field = carried(facet);
    return { ...(event !== undefined && { event }), ...(field !== undefined && { field }) };
  }
  if (isTable(head)) {
    const field = fieldsByTable.get(head)?.get(second) ?? otherFieldOf(second);
    // Of a token's claims none is in a body.
    if (field !== undefined)
      return { table: head, field: head === 'claim' ? `claims.${field}` : field };
  }
  if (head === 'meta' || head === 'pagination' || head === 'envelope') return {};
  const endpoint = endpointIn(parts);
  const field = carried(facet);
  return { ...(endpoint !== undefined && { endpoint }), ...(field !== undefined && { field }) };
}

/** What ids call otherwise than the wire does. */
const otherFieldOf = (name: string): string | undefined =>
  ({ state: 'status', 'failure-reason': 'failure_reason' })[name];

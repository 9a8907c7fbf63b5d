import { endpoints } from './endpoints.ts';
import {
  type EventKind,
  type EventName,
  eventKinds,
  heartbeat,
  type StreamName,
  streamEndpoint,
} from './events.ts';
import { fieldsOf } from './fields.ts';
import { fieldSchema, type JsonSchema } from './jsonschemas.ts';
import { limits } from './limits.ts';
import type { DescribedServer } from './openapi.ts';
import { resources } from './resources.ts';
import { schemaVersion } from './vocabulary.ts';

const causes: Readonly<Record<EventName, string>> = {
  order_updated: 'An order, or for a custodian a custodied one, changed its status.',
  quote_received: 'A PENDING order has a new quote.',
  quote_request_new: 'There is a new request for quote.',
  quote_request_expired: 'A request can no longer be quoted.',
  quote_accepted: "This market maker's quote was selected.",
  quote_rejected: "Another market maker's quote was selected.",
  settlement_completed: 'A trade that this market maker won has settled.',
};

const names = Object.keys(eventKinds) as EventName[];
const streams: readonly StreamName[] = ['order', 'maker'];
const channelOf = (stream: StreamName): string => `${stream}-events`;
const eventsOf = (stream: StreamName): EventName[] =>
  names.filter((name) => eventKinds[name].stream === stream);

/** Only the named fields are promised; known others have the form of their resource. */
function payload(name: EventName): JsonSchema {
  const { resource, fields }: EventKind = eventKinds[name];
  const known = resource === undefined ? [] : fieldsOf(resources[resource]);
  return {
    type: 'object',
    properties: Object.fromEntries(known.map((field) => [field.name, fieldSchema(field)])),
    ...(fields.length > 0 && { required: fields }),
  };
}

const message = (name: string, summary: string, body?: JsonSchema): JsonSchema => ({
  name,
  summary,
  contentType: 'application/json',
  ...(body && { payload: body }),
});

const beat = message(
  heartbeat,
  `Keeps the stream alive, every ${limits.heartbeatIntervalMs / 1000} seconds. What it carries is not shown.`,
);

const ref = (path: string): JsonSchema => ({ $ref: `#/${path}` });

const channel = (stream: StreamName): JsonSchema => ({
  address: endpoints[streamEndpoint[stream]].path,
  description: 'Server-sent events.',
  messages: Object.fromEntries(
    [...eventsOf(stream), heartbeat].map((name) => [name, ref(`components/messages/${name}`)]),
  ),
});

const operation = (stream: StreamName): JsonSchema => ({
  action: 'send',
  channel: ref(`channels/${channelOf(stream)}`),
  summary: `For the roles ${endpoints[streamEndpoint[stream]].roles.join(', ')}.`,
  bindings: {
    http: {
      method: 'GET',
      ...(stream === 'order' && {
        query: {
          type: 'object',
          properties: { intent_id: { type: 'string', format: 'uuid' } },
        },
      }),
      bindingVersion: '0.3.0',
    },
  },
});

const serverAt = ({ url, description }: DescribedServer): JsonSchema => {
  const { host, pathname, protocol } = new URL(url);
  const address = { host, pathname, protocol: protocol.slice(0, -1) };
  return { ...address, ...(description !== undefined && { description }) };
};

/** The event streams of part 6 as AsyncAPI 3. @param servers absolute base URLs under which the service is reached */
export const asyncapiDocument = (servers: readonly DescribedServer[] = []): JsonSchema => ({
  asyncapi: '3.0.0',
  info: {
    title: 'Cross-Currency Settlement Service Interface: event streams',
    version: schemaVersion,
  },
  ...(servers.length > 0 && {
    servers: Object.fromEntries(servers.map((one, n) => [`backend-${n + 1}`, serverAt(one)])),
  }),
  defaultContentType: 'application/json',
  channels: Object.fromEntries(streams.map((stream) => [channelOf(stream), channel(stream)])),
  operations: Object.fromEntries(
    streams.map((stream) => [`${channelOf(stream)}.listen`, operation(stream)]),
  ),
  components: {
    messages: {
      ...Object.fromEntries(
        names.map((name) => [name, message(name, causes[name], payload(name))]),
      ),
      [heartbeat]: beat,
    },
  },
});

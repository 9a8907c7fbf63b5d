import { describe, expect, it } from 'vitest';
import { asyncapiDocument } from './asyncapi.ts';
import { endpointNames, endpoints } from './endpoints.ts';
import { eventKinds } from './events.ts';
import { type Json, type JsonSchema, jsonSchemas, schemaNames } from './jsonschemas.ts';
import { openapiDocument } from './openapi.ts';

type Tree = { readonly [key: string]: Json };

const at = (tree: Json, path: string): Json | undefined =>
  path
    .split('/')
    .reduce<Json | undefined>(
      (node, key) => (node as Tree | undefined)?.[key.replaceAll('~1', '/')],
      tree,
    );

function references(tree: Json): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : references(value as Json),
  );
}

const operations = Object.entries(openapiDocument()['paths'] as Tree).flatMap(([path, item]) =>
  Object.entries(item as Tree).map(([method, operation]) => ({
    path,
    method,
    operation: operation as Tree,
  })),
);

describe('OpenAPI', () => {
  it('has one operation for each endpoint, under its name', () => {
    const found = operations.map(({ operation }) => operation['operationId']);
    expect(found).toHaveLength(endpointNames.length);
    expect(new Set(found)).toEqual(new Set(endpointNames));
    for (const { path, method, operation } of operations) {
      const endpoint = endpoints[operation['operationId'] as keyof typeof endpoints];
      expect([endpoint.path, endpoint.method]).toEqual([path, method.toUpperCase()]);
    }
  });

  it('wants a token wherever part 5.1 does, and declares every path parameter', () => {
    const free = operations.filter(({ operation }) => at(operation, 'security/0') === undefined);
    expect(free.map(({ path }) => path)).toEqual(['/auth/token', '/health']);
    const undeclared = operations.filter(({ path, operation }) => {
      const declared = ((operation['parameters'] ?? []) as readonly Tree[])
        .filter((parameter) => parameter['in'] === 'path')
        .map((parameter) => `{${parameter['name'] as string}}`);
      return declared.join() !== (path.match(/\{\w+\}/g) ?? []).join();
    });
    expect(undeclared).toEqual([]);
  });

  it('answers a submitted quote with 201, and lists in pages', () => {
    const submit = '~1api~1v1~1quote-requests~1{intent_id}~1quotes/post/responses';
    expect(Object.keys(at(openapiDocument(), `paths/${submit}`) as Tree)).toEqual([
      '201',
      '401',
      '4XX',
    ]);
    const list = 'paths/~1api~1v1~1orders/get/responses/2XX/content/application~1json/schema';
    expect(at(openapiDocument(), `${list}/required`)).toEqual(['data', 'meta', 'pagination']);
  });

  it('takes the servers it is given', () => {
    const servers = [{ url: 'http://127.0.0.1/a' }];
    expect(openapiDocument({ servers })['servers']).toEqual(servers);
    // No server of its own is relative: clients join such in ways of their own.
    expect(at(openapiDocument(), 'servers/0/url')).toBe('{base_url}');
  });
});

describe.each<[string, JsonSchema]>([
  ['OpenAPI', openapiDocument()],
  ['AsyncAPI', asyncapiDocument()],
])('%s', (_, document) => {
  it('refers only to what it holds', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter((one) => at(document, one.slice(2)) === undefined)).toEqual([]);
  });
});

describe('AsyncAPI', () => {
  it('has every event on its stream, and the heartbeat on both', () => {
    const channels = asyncapiDocument()['channels'] as Tree;
    const messages = (name: string): string[] =>
      Object.keys(at(channels, `${name}/messages`) as Tree);
    const of = (stream: string): string[] =>
      Object.entries(eventKinds)
        .filter(([, kind]) => kind.stream === stream)
        .map(([name]) => name);
    expect(messages('order-events')).toEqual([...of('order'), 'heartbeat']);
    expect(messages('maker-events')).toEqual([...of('maker'), 'heartbeat']);
  });
});

describe('JSON Schemas', () => {
  it('has one for every resource, with our own keywords taken out', () => {
    const schemas = jsonSchemas();
    expect(Object.keys(schemas)).toEqual(schemaNames);
    const text = JSON.stringify(schemas);
    expect(text).not.toContain('"moment"');
    expect(text).not.toContain('"form"');
  });

  it('requires of an order what is there from its creation, and lets the rest be null', () => {
    const { order, 'order-request': request } = jsonSchemas();
    expect(at(order ?? null, 'required')).not.toContain('fx_rate');
    expect(at(order ?? null, 'properties/fx_rate/type')).toEqual(['string', 'null']);
    expect(at(order ?? null, 'properties/status/enum')).toHaveLength(6);
    expect(request).not.toHaveProperty('required');
  });
});

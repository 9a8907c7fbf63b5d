import { describe, expect, it } from 'vitest';
import { endpointNames, endpoints, matchEndpoint, pathOf } from './endpoints.ts';

const params = { intent_id: 'a b/c', quote_id: 'q' };

describe('paths', () => {
  it('are filled in and percent-encoded', () => {
    expect(pathOf('order.cancel', params)).toBe('/api/v1/orders/a%20b%2Fc/cancel');
    expect(pathOf('order.list')).toBe('/api/v1/orders');
  });

  it.each(endpointNames)('%s is found again by its path', (name) => {
    const path = pathOf(name, { intent_id: 'i', quote_id: 'q' });
    const found = matchEndpoint(endpoints[name].method, path);
    expect(found?.name).toBe(name);
    const parameters = endpoints[name].path.match(/\{(\w+)\}/g) ?? [];
    expect(Object.keys(found?.params ?? {}).map((key) => `{${key}}`)).toEqual([...parameters]);
  });

  it('prefer a literal segment to a parameter', () => {
    expect(matchEndpoint('GET', '/api/v1/orders/events')?.name).toBe('order.events');
  });

  it.each([
    ['PUT', '/api/v1/orders'],
    ['GET', '/orders'],
    ['GET', '/api/v1/orders/x/y/z'],
    ['POST', '/api/v1/orders/x'],
  ])('%s %s is none', (method, path) => {
    expect(matchEndpoint(method, path)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { hostGuard } from './host-guard.ts';

type Headers = Readonly<Record<string, string>>;

const asks = (headers: Headers, listening = '127.0.0.1', allowed: readonly string[] = []) =>
  hostGuard(listening, allowed)({ method: 'POST', headers });

describe('a server on loopback', () => {
  it.each<[string, Headers]>([
    ['curl', { host: '127.0.0.1:9000' }],
    ['a port of a container that is mapped to another', { host: 'localhost:18080' }],
    ['a name of this machine', { host: 'assay.localhost:9000' }],
    ['IPv6', { host: '[::1]:9000' }],
    ['a client of HTTP/1.0', {}],
    ['its own page', { host: 'localhost:9000', origin: 'http://localhost:9000' }],
    ['its own page behind TLS', { host: 'localhost', origin: 'https://localhost' }],
    [
      'its own page on the port of the scheme',
      { host: 'localhost:80', origin: 'http://localhost' },
    ],
    ['what a person typed', { host: 'localhost:9000', 'sec-fetch-site': 'none' }],
  ])('answers %s', (_, headers) => {
    expect(asks(headers)).toBeUndefined();
  });

  it.each<[string, Headers, string]>([
    [
      'a name that was made to lead here',
      { host: 'evil.test:9000', origin: 'http://evil.test:9000' },
      'this server does not answer to the name "evil.test"; if it should, start it with --allow-host evil.test',
    ],
    [
      'a name that only looks like this machine',
      { host: 'localhost.evil.test' },
      'this server does not answer to the name "localhost.evil.test"; if it should, start it with --allow-host localhost.evil.test',
    ],
    [
      'a page of another site',
      { host: '127.0.0.1:9000', origin: 'https://evil.test' },
      'a page of "https://evil.test" asks this server; if it may, start it with --allow-host evil.test',
    ],
    [
      'a page of another server on this machine',
      { host: 'localhost:9000', origin: 'http://localhost:5173' },
      'a page of "http://localhost:5173" asks this server; if it may, start it with --allow-host localhost:5173',
    ],
    [
      'a page that hides where it is from',
      { host: 'localhost:9000', origin: 'null' },
      'a page of "null" asks this server; open the page from an address of its own',
    ],
    [
      'an image of a page of another site',
      { host: 'localhost:9000', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      'a page of another site asks this server; open its address itself',
    ],
  ])('refuses %s, and says what to do', (_, headers, reason) => {
    expect(asks(headers)).toBe(reason);
  });
});

it('answers to the name that it listens on, and to those that are allowed', () => {
  expect(asks({ host: 'Backend.Test:9000' }, 'backend.test')).toBeUndefined();
  expect(asks({ host: 'assay:9000' }, '0.0.0.0')).toContain('--allow-host assay');
  expect(asks({ host: 'assay:9000' }, '0.0.0.0', ['assay'])).toBeUndefined();
  expect(asks({ host: '10.0.0.7:9000' }, '0.0.0.0')).toBeUndefined();
});

it('lets pages of an allowed site ask, and of no other port of it where one is named', () => {
  const from = (origin: string) =>
    asks({ host: '127.0.0.1:9000', origin, 'sec-fetch-site': 'cross-site' }, '127.0.0.1', [
      'localhost:5173',
    ]);
  expect(from('http://localhost:5173')).toBeUndefined();
  expect(from('http://localhost:5174')).toContain('--allow-host localhost:5174');
});

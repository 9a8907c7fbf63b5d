import { describe, expect, it } from 'vitest';
import { environmentProxy, proxyHeaders } from './route.ts';

const proxy = 'http://proxy.bank.example:3128';
const proxyOf = (env: Readonly<Record<string, string>>, url: string): string | undefined =>
  environmentProxy(env, new URL(url))?.url.host;

describe('the proxy that the environment names', () => {
  it.each([
    [{ HTTPS_PROXY: proxy }, 'https://fx.bank.example/a', 'proxy.bank.example:3128'],
    [{ https_proxy: 'proxy.bank.example:3128' }, 'https://fx.example', 'proxy.bank.example:3128'],
    [{ HTTPS_PROXY: proxy }, 'http://fx.bank.example', undefined],
    [{ HTTP_PROXY: proxy }, 'http://fx.bank.example', 'proxy.bank.example:3128'],
    [{ HTTP_PROXY: proxy, NO_PROXY: 'bank.example' }, 'http://fx.bank.example', undefined],
    [{ HTTP_PROXY: proxy, NO_PROXY: '.bank.example' }, 'http://fx.bank.example', undefined],
    [{ HTTP_PROXY: proxy, NO_PROXY: '*' }, 'http://fx.bank.example', undefined],
    [
      { HTTP_PROXY: proxy, NO_PROXY: 'a.example, fx.example:81' },
      'http://fx.example:81',
      undefined,
    ],
    [
      { HTTP_PROXY: proxy, NO_PROXY: 'fx.example:81' },
      'http://fx.example:80',
      'proxy.bank.example:3128',
    ],
    [{ HTTP_PROXY: proxy, NO_PROXY: 'x.example' }, 'http://fx.example', 'proxy.bank.example:3128'],
    [{ HTTP_PROXY: proxy }, 'http://127.0.0.1:9000', undefined],
    [{ HTTP_PROXY: proxy }, 'http://localhost:9000', undefined],
    [{ HTTP_PROXY: '' }, 'http://fx.example', undefined],
  ])('%j for %s: %s', (env, url, expected) => {
    expect(proxyOf(env as Readonly<Record<string, string>>, url)).toBe(expected);
  });

  it('gets the credentials of its address as a header', () => {
    expect(proxyHeaders(new URL('http://a:p%40ss@proxy.example'))).toEqual({
      'proxy-authorization': `Basic ${Buffer.from('a:p@ss').toString('base64')}`,
    });
    expect(proxyHeaders(new URL('http://proxy.example'))).toEqual({});
  });
});

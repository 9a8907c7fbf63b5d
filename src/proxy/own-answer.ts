const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name leads nowhere',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it did not answer in time',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its network',
};

/** Marks what the proxy itself answers: no backend's answer carries it. */
export const ownHeader = 'assay-proxy';

/**
 * What a client gets where the backend cannot be reached: 502, with the proxy's mark and the reason.
 * @param code of the host's error
 */
export function unreachableAnswer(method: string, code: string): string {
  const body = JSON.stringify({
    type: 'about:blank',
    title: 'Bad Gateway',
    status: 502,
    detail: `assay proxy could not reach the backend: ${reasons[code] ?? code}`,
    answered_by: 'assay proxy',
  });
  return [
    'HTTP/1.1 502 Bad Gateway',
    'content-type: application/problem+json',
    `content-length: ${Buffer.byteLength(body)}`,
    `${ownHeader}: unreachable`,
    'connection: close',
    '',
    method === 'HEAD' ? '' : body,
  ].join('\r\n');
}

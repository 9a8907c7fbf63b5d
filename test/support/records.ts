import type { Exchange, Frame } from '../../src/history/records.ts';
import { endpoints, pathOf } from '../../src/spec/endpoints.ts';
import { cast, type CastName } from '../../src/spec/requirements/index.ts';
import type { Role } from '../../src/spec/vocabulary.ts';

const roles: Readonly<Record<string, Role | undefined>> = cast;
const roleOf = (party: string): Role => roles[party as CastName] ?? 'institution';

interface Given extends Partial<Omit<Exchange, 'kind'>> {
  /** When it was sent and answered. */
  readonly at?: number;
  /** Body of the request. */
  readonly body?: unknown;
  /** Status and `data` of the answer. */
  readonly status?: number;
  readonly data?: unknown;
}

/** An exchange with the given members; the others are plain. */
export function exchange({ at = 0, body, status = 200, data, ...given }: Given = {}): Exchange {
  const { party = 'sender', endpoint, params = {} } = given;
  const { method, path } = endpoint
    ? { method: endpoints[endpoint].method, path: pathOf(endpoint, params) }
    : { method: 'GET', path: '/' };
  const response = { status, headers: {}, ...(data !== undefined && { body: { data } }) };
  return {
    kind: 'exchange',
    id: 'test#1',
    by: 'test',
    party,
    role: roleOf(party),
    params,
    query: {},
    auth: 'own',
    request: { method, path, headers: {}, ...(body !== undefined && { body }) },
    ...(!given.error && { response }),
    sent: at,
    received: at,
    ...given,
  };
}

/** A message of a stream with the given members; the others are plain. */
export function frame({ at = 0, ...given }: Partial<Frame> & { at?: number } = {}): Frame {
  const { party = 'sender' } = given;
  return {
    kind: 'frame',
    id: 'test#1/1',
    stream: 'test#1',
    by: 'test',
    party,
    role: roleOf(party),
    received: at,
    event: 'heartbeat',
    ...given,
  };
}

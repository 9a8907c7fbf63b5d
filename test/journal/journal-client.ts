import { expect } from 'vitest';

/** Talks to a served reference as a client does. */
export interface JournalClient {
  tokenOf(prefix: string): Promise<Record<string, string>>;
  order(token: string): Promise<Answer>;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** The ids of all orders that the institution is shown. */
  listed(token: string): Promise<string[]>;
  /** Writes until the disk is full, and on after it. A restart must keep all answered writes. */
  fill(): Promise<{ readonly token: string; readonly answered: string[] }>;
}

interface CallOptions extends RequestInit {
  readonly token?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly data: Record<string, string>;
  readonly code?: string;
}

let contracts = 0;

/** @param port where it listens, in one life of it: who its parties are is asked once. */
export function journalClient(port: number): JournalClient {
  async function call(path: string, options: CallOptions = {}): Promise<Answer> {
    const { token, ...rest } = options;
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(rest.body !== undefined && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...rest, headers });
    const json = (await answer.json()) as Pick<Answer, 'data' | 'code'>;
    return { status: answer.status, headers: answer.headers, ...json };
  }

  const tokenOf = async (prefix: string) =>
    (await call(`/${prefix}/auth/token`, { method: 'POST' })).data;
  const partyIdOf = async (prefix: string) => (await tokenOf(prefix))['canton_party_id'];
  /** The ids of those whom orders name. */
  let others: Promise<readonly (string | undefined)[]> | undefined;

  async function order(token: string): Promise<Answer> {
    others ??= Promise.all(['custodian-a', 'custodian-b'].map(partyIdOf));
    const [custodian, receiver] = await others;
    contracts += 1;
    return call('/bank-a/api/v1/orders', {
      method: 'POST',
      token,
      body: JSON.stringify({
        sender_custodian_party_id: custodian,
        intent_signature: 'ab12',
        receiver_party_id: 'Receiver::1234',
        receiver_custodian_party_id: receiver,
        source_contract_id: `00ff#${contracts}`,
        source_currency: 'USD',
        target_amount: '10.00',
        target_currency: 'EUR',
        source_amount_max: '12.00',
        memo: 'x',
      }),
    });
  }

  return {
    call,
    tokenOf,
    order,
    async listed(token) {
      const ids: string[] = [];
      for (let page = 1; ; page += 1) {
        const path = `/bank-a/api/v1/orders?page=${page}&page_size=100`;
        const { data } = await call(path, { token });
        const orders = data as unknown as readonly { readonly intent_id: string }[];
        ids.push(...orders.map(({ intent_id }) => intent_id));
        if (orders.length < 100) return ids;
      }
    },
    async fill() {
      const token = (await tokenOf('bank-a'))['token'] ?? '';
      const answered: string[] = [];
      const refusals: unknown[] = [];
      for (let n = 0; n < 600 && refusals.length < 5; n += 1) {
        const { status, headers, data, code } = await order(token);
        if (status === 201) answered.push(data['intent_id'] ?? '');
        else refusals.push([status, code, headers.get('retry-after')]);
      }
      expect(answered.length).toBeGreaterThan(3);
      expect(refusals).toEqual(Array.from({ length: 5 }, () => [503, 'unavailable', '1']));
      return { token, answered };
    },
  };
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHistory } from '../../src/history/jsonl.ts';
import type { Exchange, HistoryRecord } from '../../src/history/records.ts';
import { isObject } from '../../src/protocol/json.ts';
import type { RunReport } from '../../src/report/index.ts';
import { orderStates } from '../../src/spec/vocabulary.ts';
import { dialects } from '../peer/dialect.ts';
import { startPeer } from '../peer/server.ts';
import { targetFile } from '../peer/target-file.ts';
import { serveReference } from '../simulation/serve-reference.ts';
import {
  attachedBodies,
  type HarForm,
  harForms,
  recordedAsHar,
} from '../support/recorded-as-har.ts';
import { youngPart } from '../support/young-part.ts';
import { runHere } from '../cli/command-here.ts';

/** A backend on loopback, with the files that describe it. */
interface Served {
  readonly files: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

const backends: readonly (readonly [string, () => Promise<Served>])[] = [
  [
    'the reference',
    async () => {
      const { server, chosen } = await serveReference();
      const key = JSON.stringify(server.tokens.keys.signing.export({ format: 'jwk' }));
      const files = { 'target.yaml': chosen.text, 'key.json': key };
      return { files, close: () => server.close() };
    },
  ],
  [
    'a peer',
    async () => {
      const peer = await startPeer({ dialect: dialects.harbour, clock: 'hand' });
      const files = { 'target.yaml': targetFile(peer, 'harbour', 'hand') };
      return { files, close: () => peer.close() };
    },
  ],
];

/** Something by all parties, with streams: all of the suite would take an hour. */
const some = ['order.life.*', 'order.cancel.*', 'order.list.filters.passing.sender'];

type Records = readonly HistoryRecord[];

const dataIn = (one: HistoryRecord | undefined): unknown => {
  const body = one?.kind === 'exchange' ? one.response?.body : undefined;
  return isObject(body) ? body['data'] : undefined;
};
const fieldIn = (one: HistoryRecord | undefined, name: string): unknown => {
  const data = dataIn(one);
  return isObject(data) ? data[name] : undefined;
};

function answering(one: Exchange, status: number, body: unknown): Exchange {
  const headers = one.response?.headers ?? {};
  return { ...one, response: { status, headers, body } };
}

/** An answer with other data: fields that differ, or items. */
function showing(one: Exchange, changed: object): Exchange {
  const body = one.response?.body;
  const data = dataIn(one);
  const shown = Array.isArray(changed) ? changed : { ...(isObject(data) && data), ...changed };
  return answering(one, one.response?.status ?? 0, { ...(isObject(body) && body), data: shown });
}

/** Violations, each by itself, and the requirement that it violates in any form that shows it. */
const violated = {
  /** What the data of an answer show. */
  field: /^order\.source-amount-max\./,
  amount: /^order\.source-amount-actual\./,
  state: /^order\.state\./,
  /** Wrong answers to a request. */
  filter: /^order\.list\.status-filter$/,
  role: /^access\.rfq\.list\.institution-refused$/,
  refusal: /^access\.identity\.read\.institution-allowed$/,
  /** In an event stream. */
  event: /^quote\.fx-rate\.form$/,
} as const;
type Kind = keyof typeof violated;
const kinds = Object.keys(violated) as readonly Kind[];

/** Adds one violation of each kind to a recording of none. */
function withViolations(records: Records): Records {
  const sent = (endpoint: string, fits: (one: Exchange) => boolean): readonly Exchange[] =>
    records.filter(
      (one): one is Exchange =>
        one.kind === 'exchange' &&
        one.endpoint === endpoint &&
        one.party === 'sender' &&
        one.auth === 'own' &&
        fits(one),
    );
  const reads = sent(
    'order.read',
    (one) =>
      fieldIn(one, 'status') === 'SETTLED' &&
      typeof fieldIn(one, 'source_amount_actual') === 'string',
  );
  const [field, amount, state] = new Map(
    reads.map((one) => [fieldIn(one, 'intent_id'), one]),
  ).values();
  const [pending] = sent('order.read', (one) => fieldIn(one, 'status') === 'PENDING');
  const [filtered] = sent('order.list', ({ query: { status = 'PENDING' } }) =>
    orderStates.some((one) => one === status && one !== 'PENDING'),
  );
  const [requests] = sent('rfq.list', ({ response }) => response?.status === 403);
  const [identity] = sent('identity.read', ({ query }) => Object.keys(query).length === 0);
  const event = records.find((one) => one.kind === 'frame' && one.event === 'quote_received');
  if (!field || !amount || !state || !pending || !filtered) throw new Error('too few orders');
  if (!requests || !identity || event?.kind !== 'frame') throw new Error('too few parties');
  const last = records.reduce((at, one) => Math.max(at, 'sent' in one ? one.received : 0), 0);
  const { text: _, ...frame } = event;
  const replaced = new Map<HistoryRecord, HistoryRecord>([
    [field, showing(field, { source_amount_max: '+1,5' })],
    [amount, showing(amount, { source_amount_actual: '999999999.00' })],
    [filtered, showing(filtered, [dataIn(pending)])],
    [requests, answering(requests, 200, showing(filtered, []).response?.body)],
    [event, { ...frame, data: { ...(isObject(event.data) && event.data), fx_rate: '+1' } }],
  ]);
  const later = (one: Exchange, name: string): Exchange => ({
    ...one,
    id: `${one.id}-${name}`,
    sent: last + 5_000,
    received: last + 5_010,
  });
  return [
    ...records.map((one) => replaced.get(one) ?? one),
    showing(later(state, 'back'), { status: 'QUOTED' }),
    answering(later(identity, 'refused'), 403, { code: 'refused' }),
  ];
}

const noMessages = 'it has no messages of streams';
const noOrder = 'when an answer came is not known';
const noBodies = 'it has no bodies';
const madeAnew = 'its requests are made anew: what was asked, and with which token, is not known';
const cannotShow: Readonly<Record<HarForm, Partial<Record<Kind, string>>>> = {
  plain: {},
  chrome: {},
  firefox: { event: noMessages },
  safari: { event: noMessages },
  playwright: { state: noOrder, event: noMessages },
  'playwright-attach': { state: noOrder, event: noMessages },
  'playwright-omit': {
    field: noBodies,
    amount: noBodies,
    state: noBodies,
    filter: noBodies,
    role: noBodies,
    event: noMessages,
  },
  'chrome-har': { state: noOrder, event: noMessages },
  mitmproxy: {},
  charles: {},
  fiddler: {},
  loose: {},
  insomnia: {
    state: noOrder,
    filter: madeAnew,
    refusal: madeAnew,
    event: noMessages,
  },
  browsermob: {
    field: noBodies,
    amount: noBodies,
    state: noBodies,
    filter: noBodies,
    role: noBodies,
    event: noBodies,
  },
  'whole-seconds': { state: 'what happened within a second is in no order' },
};

describe.each(backends)('a recording of many parties on %s', (name, serve) => {
  let directory: string;
  let records: Records;
  let baseUrls: Readonly<Record<string, string>>;
  const textOf = (...path: readonly string[]): string =>
    readFileSync(join(directory, ...path), 'utf8');

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'assay-har-forms-'));
    const served = await serve();
    for (const [file, text] of Object.entries(served.files)) {
      writeFileSync(join(directory, file), text);
    }
    const only = some.flatMap((one) => ['--only', one]);
    await runHere(['check', '--target', 'target.yaml', ...only, '--out', 'run'], directory);
    await served.close();
    const history = readHistory(textOf('run', 'history.jsonl'));
    if (!history.ok) throw new Error(history.message);
    records = youngPart(history.records);
    const { target } = JSON.parse(textOf('run', 'report.json')) as RunReport;
    baseUrls = Object.fromEntries(
      Object.entries(target.participants).map(([party, { base_url }]) => [party, base_url ?? '']),
    );
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** The exit code of an audit, and the requirements that it finds violated. */
  async function audited(form: HarForm, recorded: Records) {
    const options = { baseUrlOf: (party: string) => baseUrls[party] ?? '', form };
    writeFileSync(join(directory, 'run.har'), recordedAsHar(recorded, options));
    if (form === 'playwright-attach') {
      for (const [file, text] of attachedBodies(recorded, options)) {
        writeFileSync(join(directory, file), text);
      }
    }
    const args = ['audit', 'run.har', '--target', 'target.yaml', '--json'];
    const { code, out, err } = await runHere(args, directory);
    if (out === '') throw new Error(err);
    const { requirements } = JSON.parse(out) as RunReport;
    const failing = requirements.filter(({ verdict }) => verdict === 'fail');
    return { code, failing: failing.map(({ id, reason }) => [id, reason] as const) };
  }

  // By turns: each form is tried on both backends, and blames nobody on one where it shows a violation on the other.
  const own = harForms.filter((_, index) => backends[index % backends.length]?.[0] === name);
  const others = harForms.filter((form) => !own.includes(form));

  it.each(others)('blames nobody in the form %s', async (form) => {
    const { failing, code } = await audited(form, records);
    expect(failing).toEqual([]);
    expect([0, 3]).toContain(code);
  });

  it.each(own)('shows in the form %s what is violated', async (form) => {
    const { failing } = await audited(form, withViolations(records));
    const found = kinds.filter((kind) => failing.some(([id]) => violated[kind].test(id)));
    expect(found).toEqual(kinds.filter((kind) => cannotShow[form][kind] === undefined));
  });
});

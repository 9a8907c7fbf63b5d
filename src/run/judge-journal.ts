import type { Party } from '../client/contract.ts';
import type { HistoryRecord } from '../history/records.ts';
import { fieldsOf, textOf } from '../protocol/answers.ts';
import {
  orderOf,
  quotesOf,
  saveState,
  standingFaultsOf,
  type State,
} from '../reference/core/index.ts';
import type { Tamper, World } from '../reference/http/index.ts';
import {
  type CommandRecord,
  type JournalContents,
  recoverContents,
  retelling,
} from '../reference/journal/index.ts';
import type { SourceReport } from '../results/source-report.ts';
import type { EndpointName } from '../spec/endpoints.ts';
import type { CastName } from '../spec/requirements/requirement.ts';
import { openEmbedded } from '../target/embedded/embedded.ts';
import { applyAllRules } from './play-run.ts';

export interface JudgedJournal {
  readonly records: readonly HistoryRecord[];
  readonly rules: readonly SourceReport[];
  /** `otherwise`: the final state differs from the journal. That is a fault of assay, and nothing is judged. */
  readonly retold: 'same' | 'otherwise';
}

/**
 * Replays a journal through the real application, in this process and on a virtual clock: the same requests with the
 * same draws at the same moments, with every stream open. After each change, the parties that may read the order read
 * it. All rules judge that history.
 */
export async function judgeJournal(
  contents: JournalContents,
  until: number,
  tamper?: Tamper,
): Promise<JudgedJournal> {
  const records = contents.records.flatMap(({ record }) =>
    record.kind === 'command' && record.at <= until ? [record] : [],
  );
  const draws = records.flatMap(({ command }) => ('entropy' in command ? [command.entropy] : []));
  const journal = retelling(contents);
  const { origin, config } = contents.head;
  let world: World | undefined;
  const target = await openEmbedded({
    seed: BigInt(origin.seed),
    // The additional reads were not part of the recorded traffic, and must not hit the rate limit.
    assignment: { ...config.assignment, 'limits.rate': 'none' },
    startMs: journal.contents?.at ?? contents.head.startedAt,
    tamper,
    // After the last draw the journal has no more commands.
    retold: { journal, entropy: () => draws.shift() ?? '0'.repeat(32) },
    before: (made) => (world = made),
  });
  try {
    if (!world) throw new Error('the reference has no world');
    const retold = createRetold(world, (name) => target.party(name, 'journal'));
    const { timeline } = target;
    await timeline.act('journal', async () => {
      for (const record of records) {
        await timeline.until(record.at);
        await retold.happen(record);
      }
    });
    const answers = { get: (gap: keyof typeof config.assignment) => config.assignment[gap] };
    const seen = target.history.records;
    const recovery = recoverContents(contents, { until });
    const same =
      tamper !== undefined ||
      (recovery.ok &&
        JSON.stringify(saveState(recovery.recovered.state)) ===
          JSON.stringify(saveState(world.state())));
    return {
      records: seen,
      rules: applyAllRules({ ...target, answers }, seen, [...retold.disturbed]),
      retold: same ? 'same' : 'otherwise',
    };
  } finally {
    await target.close();
  }
}

/** Replays records in a world, each as its own party. */
function createRetold(world: World, partyOf: (name: CastName) => Party) {
  const disturbed = new Set<string>();
  const names = new Map(
    world.options.parties.map(({ name, partyId }) => [partyId, name as CastName]),
  );

  /** Reads an order as each party that may read it. */
  async function readOrder(state: State, id: string): Promise<void> {
    const order = orderOf(state, id);
    if (!order) return;
    const { all } = standingFaultsOf(state);
    if (order.fault || all) disturbed.add(id);
    const read = async (partyId: string | undefined, ...endpoints: EndpointName[]) => {
      const name = partyId === undefined ? undefined : names.get(partyId);
      for (const endpoint of name ? endpoints : [])
        await partyOf(name as CastName).call(endpoint, { params: { intent_id: id } });
    };
    await read(order.senderPartyId, 'order.read', 'order.quotes');
    const custodians = [order.senderCustodianPartyId, order.receiverCustodianPartyId];
    for (const custodian of new Set(custodians)) await read(custodian, 'order.read');
    for (const maker of new Set(quotesOf(state, id).map((quote) => quote.makerPartyId))) {
      await read(maker, 'rfq.quotes');
      if (order.settled && order.accepted?.makerPartyId === maker)
        await read(maker, 'settlement.read');
    }
  }

  return {
    disturbed,
    async happen(record: CommandRecord): Promise<void> {
      const { command } = record;
      let concerned = command.type === 'due' ? command.deadline.intentId : undefined;
      if (command.type === 'fault') {
        world.fault(command.target, command.fault);
        concerned = command.target;
      }
      if (command.type === 'request') {
        const { endpoint, params, query, body, caller } = command;
        const name = names.get(caller.partyId);
        if (!name) throw new Error(`no party has the identifier ${caller.partyId}`);
        const exchange = await partyOf(name).call(endpoint, {
          params,
          query,
          ...(body !== undefined && { body }),
        });
        concerned = params.intent_id ?? textOf(fieldsOf(exchange), 'intent_id');
      }
      if (concerned !== undefined) await readOrder(world.state(), concerned);
    },
  };
}

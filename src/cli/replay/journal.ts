import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { judgeJournal } from '../../run/judge-journal.ts';
import { reasonOf } from '../../run/read-text.ts';
import {
  balancesOf,
  deadlinesOf,
  ordersOf,
  ownersOf,
  policyOf,
  saveState,
  type State,
} from '../../reference/core/index.ts';
import {
  standardParties,
  tamperContexts,
  tamperHooks,
  type Tamper,
} from '../../reference/http/index.ts';
import {
  type JournalContents,
  type Recovered,
  recoverContents,
  readJournal,
} from '../../reference/journal/index.ts';
import { count } from '../../report/labels.ts';
import { formatTimestamp } from '../../spec/forms.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import { random } from '../../random/random.ts';
import { rulesText } from '../play/text.ts';
import { CommandFailure, usageFailure } from '../command.ts';
import { within } from '../files.ts';
import type { Flags } from '../flags.ts';
import { findTamper } from '../find-mutation.ts';
import { damageFailure, refuseFile } from '../journal/open.ts';
import type { ExitCode, Terminal } from '../terminal.ts';

/** Rebuilds a moment of a served reference from its journal, and shows it. Reads only: the writer may be active. */
export async function replayJournal(
  name: string,
  flags: Flags,
  terminal: Terminal,
): Promise<ExitCode> {
  const contents = contentsIn(name, terminal);
  const { origin, startedAt } = contents.head;
  const first = contents.snapshot?.at ?? startedAt;
  const until = flags.at ?? Number.POSITIVE_INFINITY;
  if (until < first) {
    const why = contents.snapshot ? 'a snapshot stands for all before' : 'it was begun then';
    const next = `name a moment from ${formatTimestamp(first)} on`;
    throw usageFailure(`--at ${formatTimestamp(until)}: before this journal: ${why}`, next);
  }
  const tamper = origin.mutation === undefined ? undefined : findTamper(origin.mutation);
  const recovery = recoverContents(contents, {
    until,
    ...(tamper && { hooks: bentBy(contents, tamper) }),
  });
  if (!recovery.ok) throw damageFailure(name, recovery.damage);
  const { recovered } = recovery;
  for (const notice of recovered.notices)
    terminal.err(`assay replay: ${notice} (nothing was changed here)`);
  const judged = flags.judge ? await judgeJournal(contents, until, tamper) : undefined;
  if (judged?.retold === 'otherwise')
    throw new CommandFailure(
      'assay: the journal could not be judged: told again, it ended in another state. This is a fault of assay.',
      3,
    );
  const failed =
    judged?.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'error') ?? [];
  if (flags.json) {
    terminal.out(
      JSON.stringify(
        { ...shown(recovered, flags.at), ...(judged && { rules: judged.rules }) },
        null,
        2,
      ),
    );
  } else {
    terminal.out(stateTable(recovered, flags.at, namesOf(contents)));
    if (judged) {
      const passed = judged.rules.filter(({ verdict }) => verdict === 'pass').length;
      for (const line of rulesText(judged.rules)) terminal.out(line);
      terminal.out(
        `judged: ${judged.records.length} records, ${passed} rules passed, ${failed.length} failed`,
      );
    }
  }
  if (failed.some(({ verdict }) => verdict === 'error')) return 3;
  return failed.length > 0 ? 1 : 0;
}

/** Maximum number of reads. A file may vanish during a read: an active writer replaces segments by a snapshot. */
const mostTries = 5;

function contentsIn(name: string, terminal: Terminal): JournalContents {
  const directory = within(terminal.cwd, name);
  refuseFile(directory, name);
  const none = 'name the directory that `assay serve --journal` was given';
  if (!statSync(directory, { throwIfNoEntry: false }))
    throw usageFailure(`--journal ${name}: there is no such directory`, none);
  const files = {
    list: () => readdirSync(directory),
    read: (file: string) => readFileSync(join(directory, file)),
  };
  for (let tries = 1; ; tries += 1) {
    try {
      const read = readJournal(files);
      if (read.kind === 'damaged') {
        if (read.damage.isMissing && tries < mostTries) continue;
        throw damageFailure(name, read.damage);
      }
      if (read.kind === 'none') throw usageFailure(`--journal ${name}: no journal is in it`, none);
      return read.contents;
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries >= mostTries)
        throw usageFailure(`--journal ${name}: ${reasonOf(error)}`, none);
    }
  }
}

/** Core hooks of a mutation, with a memory of their own. */
function bentBy({ head }: JournalContents, tamper: Tamper) {
  const { assignment, parties } = head.config;
  return (state: () => State) =>
    tamperHooks(
      tamper,
      policyOf(assignment),
      tamperContexts(parties, () => ({ now: 0, state: state() })),
    );
}

/** The cast's names by party identifier, of the seed that the journal was begun with. */
function namesOf({ head }: JournalContents): ReadonlyMap<string, string> {
  const parties = standardParties(random(BigInt(head.origin.seed)).fork('reference'));
  return new Map(parties.map(({ name, partyId }) => [partyId, name]));
}

/** The state as JSON; keys of tokens are no part of it. */
function shown({ head, state, epoch, at }: Recovered, asked: number | undefined) {
  const { seed, clock, mutation } = head.origin;
  return {
    format: 'assay.replay/1',
    begun: formatTimestamp(head.startedAt),
    seed,
    clock,
    ...(mutation !== undefined && { mutation }),
    starts: epoch,
    at: formatTimestamp(asked ?? at),
    last_record_at: formatTimestamp(at),
    state: saveState(state),
    deadlines: deadlinesOf(state),
  };
}

const deadlinesShown = 5;

/** A state as text: number of orders by state, changed holdings, next deadlines. */
function stateTable(
  { head, state, epoch, at }: Recovered,
  asked: number | undefined,
  names: ReadonlyMap<string, string>,
): string {
  const { seed, clock, mutation } = head.origin;
  const { quotes, settlements } = saveState(state);
  const altered = mutation === undefined ? '' : `, mutation ${mutation}`;
  const orders = ordersOf(state);
  const deadlines = deadlinesOf(state);
  const countedBy = (known: readonly string[], all: readonly { readonly status: string }[]) =>
    known
      .map((one) => [one, all.filter(({ status }) => status === one).length] as const)
      .filter(([, number]) => number > 0)
      .map(([one, number]) => `${one} ${number}`)
      .join(', ');
  return [
    `begun ${formatTimestamp(head.startedAt)}, seed ${seed}, ${clock} clock${altered}, ${count(epoch, 'start')}`,
    `as of ${formatTimestamp(asked ?? at)}; the last record is of ${formatTimestamp(at)}`,
    '',
    row('orders', orders.length, countedBy(orderStates, orders)),
    row('quotes', quotes.length, countedBy(quoteStates, quotes)),
    row('settlements', settlements.length, ''),
    '',
    ...holdingsOf(head, state, names),
    '',
    `${count(deadlines.length, 'deadline')} to come`,
    ...deadlines
      .slice(0, deadlinesShown)
      .map(({ at: due, kind, intentId }) => `  ${formatTimestamp(due)}  ${kind}  ${intentId}`),
    ...(deadlines.length > deadlinesShown ? ['  ...'] : []),
  ].join('\n');
}

const row = (what: string, count: number, states: string): string =>
  `${what.padEnd(12)} ${String(count).padStart(6)}   ${states}`.trimEnd();

/** Holdings that differ from the opening balances, including escrows. */
function holdingsOf(
  { config }: Recovered['head'],
  state: Recovered['state'],
  names: ReadonlyMap<string, string>,
): string[] {
  const opening = new Map(
    config.openingBalances.map(({ partyId, currency, amount }) => [
      `${partyId}/${currency}`,
      amount,
    ]),
  );
  const lines = ownersOf(state).flatMap((owner) =>
    Object.entries(balancesOf(state, owner))
      .filter(([currency, amount]) => (opening.get(`${owner}/${currency}`) ?? '0') !== amount)
      .map(
        ([currency, amount]) =>
          `  ${(names.get(owner) ?? owner).padEnd(20)} ${currency}  ${amount}`,
      ),
  );
  return lines.length === 0
    ? ['holdings are as they were at the beginning']
    : ['holdings that have changed', ...lines];
}

import { existsSync } from 'node:fs';
import { loggable, printable } from '../report/index.ts';
import type { Route } from '../client/http/route.ts';
import { openTarget } from '../run/open.ts';
import { hostOf } from '../run/target-file.ts';
import {
  commentedSections,
  draftTarget,
  systemClockSection,
} from '../target/file/draft-target-file.ts';
import { readTargetFile } from '../target/file/read-target-file.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { assignCast, targetFileFor } from '../target/remote/base-urls.ts';
import { castNames } from '../spec/requirements/requirement.ts';
import { formatDuration, renderSourceErrors } from '../yaml/index.ts';
import { type CommandInput, CommandFailure, openingFailure, usageFailure } from './command.ts';
import { textOf, within, writeConfiguration } from './files.ts';
import { environmentRoute, readPartyUrls } from './choose-target.ts';
import type { ExitCode, Terminal } from './terminal.ts';

const noAddress = (): CommandFailure =>
  usageFailure(
    'no address to ask',
    'give one for each party: --base-url http://127.0.0.1:9000/bank-a',
  );

/** Tries the backends behind some addresses, and writes a target file of them; never over one that is there. */
export async function init({ terminal, flags }: CommandInput): Promise<ExitCode> {
  const { out = 'target.yaml' } = flags;
  const path = within(terminal.cwd, out);
  if (existsSync(path)) {
    throw usageFailure(`${out} is there already`, 'name another file with --out, or remove it');
  }
  const urls = readPartyUrls(flags.baseUrl ?? (await askedUrls(terminal)));
  const network =
    flags.network === undefined ? undefined : networkOf(flags.network, path, terminal);
  const route = network?.route ?? environmentRoute(terminal);
  const cast = await assignCast(urls, route, terminal.secrets);
  if (!cast.ok) throw openingFailure(cast);
  const { name, participants } = targetFileFor(cast.participants);
  const text = draftTarget({
    name: flags.name ?? name,
    participants,
    sections: [
      ...(network ? [network.text] : []),
      ...(flags.maxWait === undefined ? commentedSections : waiting(flags.maxWait)),
    ],
  });
  const tried = await tryIt(out, path, text, terminal);
  writeConfiguration(terminal.secrets, path, text);
  const next = `assay probe --target ${out} --write`;
  if (flags.json) terminal.out(JSON.stringify({ file: out, ...tried, next }, undefined, 2));
  else terminal.out(loggable(printable(saidOf(tried, out, next))));
  return 0;
}

/** Placeholder for the parties that are not known yet, so that the file can be read as a target file. */
const nobodyYet =
  '\nname: yet to be tried\nparticipants: { sender: { role: institution, base_url: "http://127.0.0.1" } }\n';

/** The way to the addresses, and the lines that say so, which go into the target file as they are. */
function networkOf(
  name: string,
  path: string,
  { cwd, env, secrets }: Terminal,
): { readonly route: Route; readonly text: string } {
  const given = textOf(name, cwd, { option: '--network', next: 'check the path' });
  const text = `${given}${nobodyYet}`;
  const read = readTargetFile({ file: name, text }, hostOf(path, env));
  const hidden = read.ok ? read.target.secrets : read.secrets;
  for (const secret of hidden) secrets.add(secret);
  if (!read.ok) throw new CommandFailure(secrets.maskText(renderSourceErrors(read.errors, text)));
  return { route: read.target.route, text: given };
}

/** Opens the target of the new file, so that the file is written only if a run can begin with it. */
async function tryIt(out: string, path: string, text: string, terminal: Terminal) {
  const { env, err, secrets, isQuiet } = terminal;
  const read = readTargetFile({ file: out, text }, hostOf(path, env));
  if (!read.ok) throw new CommandFailure(renderSourceErrors(read.errors, text));
  if (!isQuiet) err('trying each party: its health, a token, and who it says it is');
  const chosen = { kind: 'file', file: read.target, path, text } as const;
  const opening = await openTarget(chosen, 1n, { listening: false, secrets });
  if (!opening.ok) throw openingFailure(opening);
  try {
    return { parties: await partiesOf(opening.target), notes: opening.target.notes };
  } finally {
    await opening.target.close();
  }
}

/** Answers of the parties, in the form of `--json`. */
async function partiesOf(target: OpenedTarget) {
  const names = castNames.filter((name) => target.parties[name]);
  const parties = names.map(async (name) => {
    const party = target.party(name, 'init');
    const { response } = await party.call('health.read');
    return {
      name,
      role: party.role,
      base_url: party.baseUrl,
      party_id: party.partyId,
      // Absent: no answer.
      ...(response && { health: response.status }),
    };
  });
  return Promise.all(parties);
}

type Tried = Awaited<ReturnType<typeof tryIt>>;

function saidOf({ parties, notes }: Tried, out: string, next: string): string {
  const width = Math.max(...parties.map(({ name }) => name.length));
  return [
    ...parties.map(
      ({ name, role, base_url, party_id, health }) =>
        `  ${name.padEnd(width)}  ${role.padEnd(12)}  ${base_url}  ${party_id || 'no id'}, ` +
        `health ${health ?? 'not answered'}`,
    ),
    ...notes.map((note) => `note: ${note}`),
    `written: ${out}`,
    `next: ${next}`,
    `      assay check --target ${out}`,
  ].join('\n');
}

const waiting = (maxWaitMs: number): readonly string[] =>
  commentedSections.map((section) =>
    section === systemClockSection
      ? section.replace(/max_wait: \S+/, `max_wait: ${formatDuration(maxWaitMs)}`)
      : section,
  );

/** Asks a person at a terminal, an address a line, until an empty one; elsewhere flags must say it. */
async function askedUrls({ ask, err }: Terminal): Promise<readonly string[]> {
  if (!ask) throw noAddress();
  err(
    'Where are the parties? One base URL a line; an empty line ends. A party may be named: sender=URL',
  );
  const urls: string[] = [];
  for (;;) {
    const line = (await ask(`base URL ${urls.length + 1}: `))?.trim();
    if (!line) break;
    urls.push(line);
  }
  if (urls.length === 0) throw noAddress();
  return urls;
}

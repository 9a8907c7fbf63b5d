import type { Flags } from '../flags.ts';
import { referenceCockpit, remoteCockpit } from '../../cockpit/cockpit.ts';
import type { Openers } from '../../cockpit/opened.ts';
import type { Session } from '../../cockpit/session.ts';
import type { Openable } from '../../cockpit/view/messages.ts';
import { formatSeed } from '../../random/seed.ts';
import { openTarget } from '../../run/open.ts';
import { targetFrom } from '../choose-target.ts';
import { CommandFailure, type CommandInput, openingFailure, usageFailure } from '../command.ts';
import { textOf } from '../files.ts';
import { tampersOf } from '../find-mutation.ts';
import { freshSeed } from '../../run/fresh.ts';
import { assignmentOf } from '../serve-flags.ts';
import { type ExitCode, forPeople, type Terminal } from '../terminal.ts';
import { openersFor, serveUntilStopped } from './page-server.ts';

export async function cockpit({ terminal: given, flags }: CommandInput): Promise<ExitCode> {
  const terminal = forPeople(given, flags.json);
  const { host = '127.0.0.1', port = 0, allowHost: allowedHosts } = flags;
  const first = openableOf(flags, terminal);
  const openers = openersFor(terminal);
  const session = await sessionOf(flags, openers, terminal);
  try {
    if (first) await openFirst(session, first);
    await serveUntilStopped(session, { host, port, allowedHosts }, terminal, (url) => {
      if (flags.json) given.out(JSON.stringify({ cockpit: url }));
    });
    return 0;
  } finally {
    await session.close();
  }
}

async function sessionOf(flags: Flags, openers: Openers, terminal: Terminal): Promise<Session> {
  const { target: file, mutation } = flags;
  const seed = flags.seed ?? freshSeed();
  if (file === undefined) {
    const assignment = assignmentOf(flags, terminal);
    const tamper = tampersOf(mutation);
    terminal.out(`seed ${formatSeed(seed)}`);
    return referenceCockpit({ seed, assignment, tamper, openers });
  }
  if (mutation !== undefined || flags.gaps !== undefined) {
    const next = 'leave --target out to drive a reference of your own';
    throw usageFailure('--mutation and --gaps are for the reference', next);
  }
  const opening = await openTarget(targetFrom(file, terminal), seed, {
    secrets: terminal.secrets,
  });
  if (!opening.ok) throw openingFailure(opening);
  for (const note of opening.target.notes) terminal.err(`assay cockpit: ${note}`);
  return remoteCockpit(opening.target, { seed, openers });
}

function openableOf({ open, world, mutation }: Flags, terminal: Terminal) {
  if (open !== undefined && world !== undefined) {
    throw usageFailure('--open and --world exclude each other', 'give one of them');
  }
  if (world !== undefined) {
    const broken = mutation === undefined ? {} : { mutation };
    return { kind: 'world', seed: world, ...broken } satisfies Openable;
  }
  if (open === undefined) return undefined;
  const how = { option: '--open', next: 'check the path', limit: 'record.bytes' } as const;
  return { kind: 'text', name: open, text: textOf(open, terminal.cwd, how) } satisfies Openable;
}

async function openFirst(session: Session, open: Openable): Promise<void> {
  const answer = await session.do({ do: 'open', open });
  if (!answer.ok) throw new CommandFailure(`assay: ${answer.problem}`);
}

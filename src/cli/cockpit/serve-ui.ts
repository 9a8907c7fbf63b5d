import type { Flags } from '../flags.ts';
import { referenceCockpit } from '../../cockpit/cockpit.ts';
import { formatSeed } from '../../random/seed.ts';
import { createApp } from '../../reference/http/index.ts';
import { listenFailure, usageFailure } from '../command.ts';
import { tampersOf } from '../find-mutation.ts';
import { freshSeed } from '../../run/fresh.ts';
import { assignmentOf, defaultPort } from '../serve-flags.ts';
import { type ExitCode, forPeople, partyLines, type Terminal } from '../terminal.ts';
import { openersFor, serveUntilStopped } from './page-server.ts';

/** Refuses options that `--ui` excludes: a clock that can be stopped and turned back does not survive a restart. */
function refuseOthers({ clock, journal, writeTarget }: Flags): void {
  const others = [
    ...(clock === 'system' ? ['--clock system'] : []),
    ...(journal === undefined ? [] : ['--journal']),
    ...(writeTarget === undefined ? [] : ['--write-target']),
  ];
  if (others.length === 0) return;
  const next = 'leave it out; or serve without --ui and drive that with: assay cockpit --target';
  throw usageFailure(`--ui and ${others.join(', ')} exclude each other`, next);
}

/** `assay serve --ui`: the whole cast on one port, its time in the hands of a page on the next one. */
export async function serveWithPage(flags: Flags, given: Terminal): Promise<ExitCode> {
  const terminal = forPeople(given, flags.json);
  refuseOthers(flags);
  const { host = '127.0.0.1', port = defaultPort, mutation, allowHost: allowedHosts } = flags;
  const tamper = tampersOf(mutation);
  const seed = flags.seed ?? freshSeed();
  const app = createApp('prefix');
  let origin = '';
  const session = await referenceCockpit({
    seed,
    assignment: assignmentOf(flags, terminal),
    tamper,
    served: { app, origin: () => origin },
    openers: openersFor(terminal),
  });
  try {
    origin = await app.listen({ host, port, allowedHosts }).catch((error: unknown) => {
      throw listenFailure({ host, port }, error, 'try --port 0 for free ones');
    });
    terminal.out(`seed ${formatSeed(seed)}`);
    terminal.out('the reference backend, its clock driven by the cockpit');
    const { parties } = session.hello;
    for (const one of partyLines(parties)) terminal.out(one);
    const where = { host, port: port === 0 ? 0 : port + 1, allowedHosts };
    await serveUntilStopped(session, where, terminal, (url) => {
      if (!flags.json) return;
      const told = parties.map(({ name, role, baseUrl }) => ({ name, role, base_url: baseUrl }));
      given.out(JSON.stringify({ seed: formatSeed(seed), parties: told, cockpit: url }));
    });
    return 0;
  } finally {
    await session.close();
    await app.fastify.close();
  }
}

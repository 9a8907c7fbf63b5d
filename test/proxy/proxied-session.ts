import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../src/cli/program.ts';
import { findTamper } from '../../src/cli/find-mutation.ts';
import { buildServer } from '../../src/reference/http/index.ts';
import { createReference } from '../../src/target/embedded/create-reference.ts';
import { draftTarget, systemClockSection } from '../../src/target/file/draft-target-file.ts';
import { systemClock } from '../../src/timeline/clock/system-clock.ts';
import { recordingTerminal } from '../scenario/recording-terminal.ts';
import { start, stop } from '../cli/shipped-command.ts';
import { makeTraffic } from './traffic.ts';
import { startWireTap } from './wire-tap.ts';

export interface ProxiedSession {
  readonly requests: number;
  readonly code: number | null;
  /** Events that the proxy printed with `--json`. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
  /** Bytes sent and received on each connection, by the clients and by the backends. */
  readonly atClients: readonly (readonly [string, string])[];
  readonly atBackends: readonly (readonly [string, string])[];
  /** A file of those that it wrote. */
  readonly written: (name: string) => string;
  readonly remove: () => void;
}

export interface SessionSize {
  readonly requests: number;
  readonly streams: number;
  readonly mutation?: string;
  /** `shipped`: the built command, which judges on a thread of its own. */
  readonly command: 'here' | 'shipped';
}

interface Running {
  /** The parties' base URLs, once it listens. */
  readonly listening: Promise<Readonly<Record<string, string>>>;
  readonly end: () => Promise<{ readonly code: number | null; readonly lines: readonly string[] }>;
}

const partiesIn = (line: string): Readonly<Record<string, string>> | undefined => {
  const told = JSON.parse(line) as { event: string; parties: Record<string, string> };
  return told.event === 'listening' ? told.parties : undefined;
};

function runHere(args: readonly string[], cwd: string): Running {
  const lines: string[] = [];
  let finish: () => void = () => {};
  let code: Promise<number> = Promise.resolve(-1);
  const listening = new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
    code = runProgram(args, {
      ...recordingTerminal(cwd),
      out(line) {
        lines.push(line);
        const parties = partiesIn(line);
        if (parties) resolve(parties);
      },
      err: (text) => reject(new Error(text)),
      onStop(end) {
        finish = end;
        return () => undefined;
      },
    });
  });
  return {
    listening,
    async end() {
      finish();
      return { code: await code, lines };
    },
  };
}

function runShipped(args: readonly string[], cwd: string): Running {
  const started = start(args, cwd);
  const listening = new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
    const look = (): void => {
      const [line, more] = started.seen.out.split('\n');
      if (line !== undefined && more !== undefined) resolve(partiesIn(line) ?? {});
    };
    started.child.stdout.on('data', look);
    started.ended.then(({ err }) => reject(new Error(err)), reject);
  });
  return {
    listening,
    async end() {
      stop(started.child, 'SIGINT');
      const { code, out } = await started.ended;
      return { code, lines: out.trim().split('\n') };
    },
  };
}

const lengthOf = (carried: readonly (readonly [string, string])[]): number =>
  carried.reduce((sum, [, received]) => sum + received.length, 0);

/**
 * Clients, a tap, the proxy, another tap, and the reference on host time, all on loopback. The
 * bytes at both taps can be compared.
 */
export async function playProxiedSession(size: SessionSize): Promise<ProxiedSession> {
  const directory = mkdtempSync(join(tmpdir(), 'assay-proxy-'));
  const tamper = size.mutation === undefined ? undefined : findTamper(size.mutation);
  const server = buildServer(
    createReference({ clock: systemClock(), seed: 1n, ...(tamper && { tamper }) }),
  );
  const addresses = await server.serve({ port: 0 });
  const behind = await startWireTap(Number(new URL(addresses[0]?.baseUrl ?? '').port));
  const through = (baseUrl: string, port: number): string => {
    const url = new URL(baseUrl);
    url.port = String(port);
    return url.href.replace(/\/$/, '');
  };
  writeFileSync(
    join(directory, 'target.yaml'),
    draftTarget({
      name: 'the reference behind a tap',
      participants: addresses.map(({ party: { name, role }, baseUrl }) => ({
        name,
        role,
        baseUrl: through(baseUrl, behind.port),
      })),
      sections: [systemClockSection],
    }),
  );
  const args = ['proxy', '--target', 'target.yaml', '--port', '0', '--json', '--out', 'session'];
  const proxy = size.command === 'here' ? runHere(args, directory) : runShipped(args, directory);
  const parties = Object.entries(await proxy.listening);
  const taps = await Promise.all(
    parties.map(async ([name, baseUrl]) => {
      const tap = await startWireTap(Number(new URL(baseUrl).port));
      return { tap, name, baseUrl: through(baseUrl, tap.port) };
    }),
  );
  const atClients = () =>
    taps.flatMap(({ tap }) => tap.carried()).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const requests = await makeTraffic({
    baseUrls: new Map(taps.map(({ name, baseUrl }) => [name, baseUrl])),
    ...size,
    async beforeEnd() {
      // Ending the proxy would cut off answers that are still in it.
      for (
        let tries = 0;
        tries < 1_000 && lengthOf(atClients()) < lengthOf(behind.carried());
        tries += 1
      )
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
  });
  const { code, lines } = await proxy.end();
  await Promise.all(taps.map(({ tap }) => tap.close()));
  await behind.close();
  await server.close();
  return {
    requests,
    code,
    events: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    atClients: atClients(),
    atBackends: behind.carried(),
    written: (name) => readFileSync(join(directory, 'session', name), 'utf8'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

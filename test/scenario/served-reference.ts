import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../src/cli/program.ts';
import { systemClock } from '../../src/timeline/clock/system-clock.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import { type Address, buildServer, type Server } from '../../src/reference/http/index.ts';
import {
  createReference,
  referenceMemos,
  referenceStartMs,
} from '../../src/target/embedded/create-reference.ts';
import { recordingTerminal } from './recording-terminal.ts';

const targetFile = (kind: 'system' | 'virtual', addresses: readonly Address[]): string => {
  const { origin } = new URL(addresses[0]?.baseUrl ?? '');
  const participants = addresses.map(
    ({ party, baseUrl }) => `  ${party.name}: { role: ${party.role}, base_url: "${baseUrl}" }`,
  );
  const clock = `clock:
  kind: controlled
  now: { get: "${origin}/_sim/clock", at: /now_ms }
  advance: { post: "${origin}/_sim/clock/advance", body: { expected_now: $now, ms: $ms } }`;
  const controls = Object.entries(referenceMemos).map(
    ([name, memo]) => `  ${name}: { order: { memo: "${memo}" } }`,
  );
  return [
    'name: served',
    'participants:',
    ...participants,
    ...(kind === 'virtual' ? [clock] : []),
    'controls:',
    ...controls,
    '',
  ].join('\n');
};

/** A reference behind real sockets, and the target file of it. */
export async function served(
  kind: 'system' | 'virtual',
  folder: string,
): Promise<{ readonly server: Server; readonly file: string }> {
  const clock = kind === 'system' ? systemClock() : virtualClock(referenceStartMs);
  const server = buildServer(createReference({ clock, seed: 1n }));
  const addresses = await server.serve({ port: 0 });
  const file = join(folder, `${kind}.yaml`);
  writeFileSync(file, targetFile(kind, addresses));
  return { server, file };
}

/** Exit code and output of `assay play` with these arguments. */
export async function played(
  ...args: string[]
): Promise<{ readonly code: number; readonly text: string }> {
  const terminal = recordingTerminal();
  const code = await runProgram(['play', ...args], terminal);
  return { code, text: terminal.text() };
}

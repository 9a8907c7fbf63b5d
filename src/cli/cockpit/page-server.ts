import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import type { Openers } from '../../cockpit/opened.ts';
import { type CockpitServer, serveCockpit } from '../../cockpit/server.ts';
import type { Session } from '../../cockpit/session.ts';
import { readText, reasonOf } from '../../run/read-text.ts';
import { shortest } from '../../run/scenario-sources.ts';
import { usageFailure } from '../command.ts';
import { findTamper } from '../find-mutation.ts';
import { findScenarios } from '../play/scenario-files.ts';
import type { Terminal } from '../terminal.ts';
import { uiPage } from '../ui-page.ts';

/** Folder of the shipped scenarios: beside the folder of the bundle or of the source. */
function shippedFolder(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = ['../..', '../../..'].map((up) => join(here, up));
  return folders.find((folder) => existsSync(join(folder, 'scenarios', 'shared')));
}

/** Scenarios that a cockpit can open, and the lookup of mutations. */
export function openersFor({ cwd }: Pick<Terminal, 'cwd'>): Openers {
  const folder = shippedFolder();
  const names =
    folder === undefined
      ? []
      : findScenarios(['scenarios'], { cwd: folder })
          .map((file) => shortest(join(folder, file), folder))
          .filter((file) => !file.startsWith('scenarios/shared/'));
  return {
    library: { folder: folder ?? cwd, names },
    cwd,
    tamperOf: findTamper,
    readLibrary(name) {
      const read = readText(join(folder ?? cwd, name));
      return read.ok ? read.text : undefined;
    },
  };
}

/** Unguessable token for the address of the page. */
const freshToken = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** Serves the page until the command is stopped. */
export async function serveUntilStopped(
  session: Session,
  where: {
    readonly host: string;
    readonly port: number;
    readonly allowedHosts?: readonly string[] | undefined;
  },
  terminal: Terminal,
  onServed: (url: string) => void = () => {},
): Promise<void> {
  let server: CockpitServer;
  try {
    server = await serveCockpit({
      session,
      page: uiPage('cockpit'),
      token: freshToken(),
      ...where,
    });
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = taken ? 'the port is taken' : reasonOf(error);
    throw usageFailure(
      `cannot listen on ${where.host}:${where.port}: ${reason}`,
      'try --port 0 for a free one',
    );
  }
  terminal.out(`cockpit: ${server.url}`);
  onServed(server.url);
  try {
    await new Promise<void>((resolve) => {
      terminal.onStop(() => resolve());
    });
  } finally {
    await server.close();
  }
}

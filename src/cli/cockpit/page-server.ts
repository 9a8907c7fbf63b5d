import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import type { Openers } from '../../cockpit/opened.ts';
import { serveCockpit } from '../../cockpit/server.ts';
import type { Session } from '../../cockpit/session.ts';
import { readText } from '../../run/read-text.ts';
import { shortest } from '../../run/scenario-sources.ts';
import { listenFailure } from '../command.ts';
import { findTamper } from '../find-mutation.ts';
import { findScenarios } from '../play/scenario-files.ts';
import { type Terminal, untilStopped } from '../terminal.ts';
import { uiPage } from '../ui-page.ts';

/** Folder of the shipped scenarios: beside the folder of the bundle or of the source. */
function shippedFolder(): string | undefined {
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = ['../..', '../../..'].map((up) => join(here, up));
  return folders.find((folder) => existsSync(join(folder, 'scenarios', 'shared')));
}

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
  Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex');

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
  const page = uiPage('cockpit');
  const serving = serveCockpit({ session, page, token: freshToken(), ...where });
  const server = await serving.catch((error: unknown) => {
    throw listenFailure(where, error);
  });
  terminal.out(`cockpit: ${server.url}`);
  onServed(server.url);
  await untilStopped(terminal);
  await server.close();
}

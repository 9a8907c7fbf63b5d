import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';

/**
 * Main module of @sparticuz/chromium. The package holds the browser, and archives of the libraries
 * and fonts that a bare system lacks.
 */
const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
const shipped = join(dirname(entry), '..', '..', 'bin');
const version = '143.0.4';

function untar(name: string, into: string): void {
  const archive = join(into, 'archive.tar');
  writeFileSync(archive, brotliDecompressSync(readFileSync(join(shipped, name))));
  execFileSync('tar', ['-xf', archive, '-C', into]);
  rmSync(archive);
}

/** The shipped font, and those of the system. */
const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>
`;

/** Unpacks once for all tests on a machine; a directory appears whole or not at all. */
async function unpacked(): Promise<string> {
  const folder = join(tmpdir(), `assay-chromium-${version}`);
  if (existsSync(folder)) return folder;
  const draft = mkdtempSync(`${folder}-`);
  const program = join(draft, 'chromium');
  for (const name of ['fonts.tar.br', 'al2023.tar.br', 'swiftshader.tar.br']) untar(name, draft);
  await pipeline(
    createReadStream(join(shipped, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(program),
  );
  writeFileSync(join(draft, 'fonts.conf'), fontsConf(folder));
  chmodSync(program, 0o755);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another process was first.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

const args = ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'];

/**
 * A headless Chromium: the one in `CHROMIUM_PATH`, or the one that npm installed. Throws if it
 * cannot start, so that no test passes without its browser.
 */
export async function launchChromium(): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH'];
  try {
    if (given !== undefined) return await chromium.launch({ executablePath: given, args });
    return await launchShipped(await unpacked());
  } catch (error) {
    throw new Error(
      `Chromium could not be started${given === undefined ? '' : ` from CHROMIUM_PATH=${given}`}: ` +
        'run `npm ci`, or set CHROMIUM_PATH to a Chromium of your own',
      { cause: error },
    );
  }
}

async function launchShipped(folder: string): Promise<Browser> {
  const env = { ...definedEnv(), FONTCONFIG_PATH: folder };
  const executablePath = join(folder, 'chromium');
  try {
    return await chromium.launch({ executablePath, args, env });
  } catch (error) {
    if (!String(error).includes('shared libraries')) throw error;
    const libraries = join(folder, 'lib');
    return await chromium.launch({
      executablePath,
      args,
      env: { ...env, LD_LIBRARY_PATH: libraries },
    });
  }
}

const definedEnv = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

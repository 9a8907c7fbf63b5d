// Bundles src/cli into dist/, and beside it the library, unless told to build the `command` alone.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand, commonOptions } from './build-command.js';
import { buildLibrary } from './build-library.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const work = [buildCommand(root)];
if (process.argv[2] !== 'command') work.push(buildLibrary(root, commonOptions(root)));
await Promise.all(work);

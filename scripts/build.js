// Bundles src/cli into dist/, the pages of src/ui/ into dist/ui/, and the library, unless told to build the `command`
// alone, which the pages are a part of; and writes the notices of the packages within. Does nothing if dist/ is what the
// sources make.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand, commonOptions } from './build-command.js';
import { buildLibrary } from './build-library.js';
import { isBuilt, markBuilt } from './build-stamp.js';
import { buildUi } from './build-ui.js';
import { writeNotices } from './third-party.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (!isBuilt(root)) {
  const isWhole = process.argv[2] !== 'command';
  const work = [buildCommand(root), buildUi(root)];
  if (isWhole) work.push(buildLibrary(root, commonOptions(root)));
  const files = (await Promise.all(work)).flat();
  writeNotices(root, files);
  if (isWhole) markBuilt(root);
}

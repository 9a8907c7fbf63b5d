// Bundles src/cli into dist/, the pages of src/ui/ into dist/ui/, and the library, unless told to build the `command`
// alone, which the pages are a part of. Where dist/ is what the sources make, nothing is done.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommand, commonOptions } from './build-command.js';
import { buildLibrary } from './build-library.js';
import { isBuilt, markBuilt } from './build-stamp.js';
import { buildUi } from './build-ui.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (!isBuilt(root)) {
  const isWhole = process.argv[2] !== 'command';
  const work = [buildCommand(root), buildUi(root)];
  if (isWhole) work.push(buildLibrary(root, commonOptions(root)));
  await Promise.all(work);
  if (isWhole) markBuilt(root);
}

import { expect, it } from 'vitest';
import { sourcesIn } from './source.ts';

/** Files that may write text to files or a terminal, with how each keeps secrets out. */
const writers: Readonly<Record<string, string>> = {
  'src/cli/files.ts': 'hides secrets in each text; lines of a history have lost theirs',
  'src/cli/terminal.ts': 'everything goes through `withoutSecrets`',
  'src/cli/main.ts': 'ends the streams, and writes nothing',
  'src/cli/check/run-events.ts': 'each event goes through the registry of the terminal',
  'src/cli/journal/file-store.ts': 'the journal of the reference, which it reads again',
  'src/cli/journal/writer-claim.ts': 'the process that writes a journal',
};

it('lets nobody write past the registry of secrets', () => {
  const writes =
    /\b(?:writeFileSync|writeFile|writeSync|appendFile\w*|createWriteStream)\(|\bstd(?:out|err)\.write\(|\bconsole\.\w+\(/;
  const found = sourcesIn('src')
    .filter(
      ({ path, code }) =>
        !path.endsWith('.test.ts') && !path.startsWith('src/ui/') && writes.test(code),
    )
    .map(({ path }) => path);
  expect(found.filter((path) => !(path in writers))).toEqual([]);
});

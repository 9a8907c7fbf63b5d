import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, followed } from '../cli/followed-page.ts';
import { buildFake, type FakeBuild } from './build-fake.ts';
import { startServer, type TestDatabase, type TestServer } from './database.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let server: TestServer;
let database: TestDatabase;
let quiet: FakeBuild;
beforeAll(async () => {
  [server, quiet] = await Promise.all([startServer(), buildFake('quiet-world.ts')]);
  database = await server.create();
});
afterAll(async () => {
  await server?.remove();
  quiet?.remove();
});

// Followed from top to bottom, as a reader would: each leans on those before it.
describe('docs/campaigns.md', () => {
  const commands = blocksOf('campaigns').flatMap((block) =>
    block.kind === 'commands' ? block.commands : [],
  );

  it.each(commands)('$line ends with $code', (command) => {
    const place = { cwd: work, bin: quiet.command, env: { QUEUE: database.url } };
    expect(followed(command, place)).toBe(String(command.code));
  });
});

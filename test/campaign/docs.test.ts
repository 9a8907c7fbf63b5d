import { expect, it } from 'vitest';
import { blocksOf } from '../cli/followed-page.ts';

it('docs/campaigns.md shows commands, which docs.long.test.ts runs', () => {
  const commands = blocksOf('campaigns').flatMap((block) =>
    block.kind === 'commands' ? block.commands : [],
  );
  expect(commands.length).toBeGreaterThan(10);
});

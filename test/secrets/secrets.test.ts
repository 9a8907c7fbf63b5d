import { expect, it } from 'vitest';
import { allCommands, known, trySecrets } from './try-secrets.ts';

it('knows every command', () => {
  expect(allCommands.toSorted()).toEqual(known.toSorted());
});

trySecrets(['check', 'report', 'audit']);

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { random } from '../../src/random/random.ts';
import { virtualClock } from '../../src/timeline/clock/virtual-clock.ts';
import {
  buildServer,
  createWorld,
  standardOperator,
  standardParties,
} from '../../src/reference/http/index.ts';
import { referenceAnswers } from '../../src/spec/gaps/index.ts';
import { controls } from '../../src/spec/requirements/requirement.ts';
import { readTargetFile } from '../../src/target/file/read-target-file.ts';
import { referenceStartMs } from '../../src/target/embedded/create-reference.ts';
import { renderSourceErrors } from '../../src/yaml/index.ts';
import { root } from '../architecture/source.ts';

const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');

function blocksOf(markdown: string, language: string): readonly string[] {
  const blocks = markdown.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return [...blocks].map(([, text = '']) => text);
}

describe('docs/target-file.md', () => {
  const text = page('target-file.md');
  const host = {
    directory: '.',
    env: {
      BANK_A_TOKEN: 'token',
      MM_1_SECRET: 'secret',
      GATEWAY_KEY: 'key',
      CLIENT_KEY_PASSPHRASE: 'phrase',
    },
    readText: () => 'a key',
  };

  const examples = blocksOf(text, 'yaml').map((example) => {
    const [name = ''] = example.split('\n', 1);
    return { name, example };
  });

  it.each(examples)('shows a file that can be read: $name', ({ example }) => {
    const read = readTargetFile({ file: 'example.yaml', text: example }, host);
    expect(read.ok ? '' : renderSourceErrors(read.errors, example)).toBe('');
  });

  it('explains every control', () => {
    const [, part = ''] = /^## What a tester may do$(.*?)^## /ms.exec(text) ?? [];
    const explained = [...part.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
    expect(explained.toSorted()).toEqual([...controls, 'restart'].toSorted());
  });
});

describe('docs/serving.md', () => {
  it('shows requests that are answered', async () => {
    const drawn = random(1n, 'docs');
    const world = createWorld({
      clock: virtualClock(referenceStartMs),
      random: drawn,
      assignment: referenceAnswers,
      parties: standardParties(drawn),
      operator: standardOperator(drawn),
    });
    const server = buildServer(world);
    const asked = blocksOf(page('serving.md'), 'http').flatMap((block) => block.trim().split('\n'));
    expect(asked).toHaveLength(12);
    for (const line of asked) {
      const [, method, url, payload] = /^(\w+) (\S+) ?(.*)$/.exec(line) ?? [];
      const answer = await server.app.inject({
        method: method as 'GET',
        url: url ?? '',
        ...(payload && { payload, headers: { 'content-type': 'application/json' } }),
      });
      expect(`${line}: ${answer.statusCode}`).toBe(`${line}: 200`);
    }
    await server.close();
  });
});

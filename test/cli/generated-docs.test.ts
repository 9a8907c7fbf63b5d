import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generatedDocuments } from '../../scripts/generated-docs.ts';

describe('generated documents', () => {
  it.each(Object.entries(generatedDocuments))(
    '%s is what `npm run docs` writes',
    (path, render) => {
      const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
      expect(committed === render() ? 'as committed' : `run npm run docs, commit ${path}`).toBe(
        'as committed',
      );
    },
  );
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  gapsDocument,
  generatedDocuments,
  requirementsDocument,
} from '../../scripts/generated-docs.ts';

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

  it('renders a requirement with its level, needs and reason, by part', () => {
    const text = requirementsDocument({
      'b.c': {
        part: '4.2',
        level: 'vague',
        summary: 'A | B.',
        needs: { parties: ['sender'], waitMs: 1500 },
      },
      'a.b': { part: '1', level: 'must', summary: 'C.', unobservable: 'Why.' },
    });
    expect(text).toContain('| `b.c` | 4.2 | vague | A \\| B. | sender, 2 s |');
    expect(text).toContain('| `a.b` | 1 | must | C. *Not judged: Why.* |  |');
    expect(text.indexOf('`a.b`')).toBeLessThan(text.indexOf('`b.c`'));
  });

  it('renders a gap with the answer of the reference apart from the others', () => {
    const text = gapsDocument({
      'x.y': {
        part: '6',
        kind: 'silence',
        question: 'Q?',
        values: ['one', 'two'],
        others: 'three',
        because: 'So.',
        observe: 'look',
        risk: '{own}, {other}',
      },
    });
    expect(text).toContain('| `x.y` | 6 | silence | Q? | `one`. So. | `two`; three | look |');
  });
});

import { expect, it } from 'vitest';
import { withEntries } from './edit.ts';

const text = `# What is judged.
name: acme # ours

gaps:
  # said by the vendor
  list.page_param: page_no
`;

it('changes and adds entries, and leaves the rest as it was', () => {
  const entries = [
    ['list.page_param', 'page'],
    ['list.first_page', '0'],
  ] as const;
  expect(withEntries(text, 'gaps', entries)).toBe(`# What is judged.
name: acme # ours

gaps:
  # said by the vendor
  list.page_param: page
  list.first_page: "0"
`);
});

it('adds the section where it is missing', () => {
  expect(withEntries('name: acme # ours\n', 'gaps', [['a', 'yes']])).toBe(
    'name: acme # ours\ngaps:\n  a: yes\n',
  );
});

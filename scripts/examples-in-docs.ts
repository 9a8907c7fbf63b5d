import { readFileSync } from 'node:fs';

const block = /^<!-- (examples\/[\w.-]+) -->\n```ts\n[\s\S]*?^```$/gm;

/** A page with each example, after the comment that names its file, as the file has it. */
export const withExamples = (page: string): string =>
  page.replace(block, (_, file: string) => {
    const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    return `<!-- ${file} -->\n\`\`\`ts\n${text}\`\`\``;
  });

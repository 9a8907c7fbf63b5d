import { actionNames, actionOf, endpointFor } from '../src/scenario/language/actions.ts';
import { testNames, testShapes } from '../src/scenario/language/matchers.ts';
import { commonFields } from '../src/scenario/language/steps/act.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import { roles } from '../src/spec/vocabulary.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/** Where an action goes, for every role that may send it there. */
function route(name: (typeof actionNames)[number]): string {
  const used = roles.flatMap((role) => {
    const endpoint = endpointFor(name, role);
    const may: readonly string[] = endpoint ? endpoints[endpoint].roles : [];
    return endpoint && (may.length === 0 || may.includes(role)) ? [endpoint] : [];
  });
  const routes = [...new Set(used)].map((one) => `${endpoints[one].method} ${endpoints[one].path}`);
  return routes.length > 0 ? code(routes) : '';
}

const tables: Readonly<Record<string, () => string>> = {
  actions: () =>
    table(
      ['Action', 'What it does', 'Must have', 'May have', 'Endpoint'],
      actionNames.map((name) => {
        const { does, needs, takes } = actionOf(name);
        return [`\`${name}\``, does, code(needs), code(takes), route(name)];
      }),
    ),
  common: () =>
    table(
      ['Key', 'Meaning'],
      Object.entries(commonFields).map(([key, { schema }]) => [
        `\`${key}\``,
        schema.description ?? '',
      ]),
    ),
  tests: () =>
    table(
      ['Test', 'Holds for'],
      testNames.map((name) => [`\`${name}\``, testShapes[name].schema.description ?? '']),
    ),
};

/** docs/scenarios.md with its tables as the definitions have them that the language is read by. */
export const withDocsTables = (page: string): string =>
  page.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(?=<!-- end -->)/g,
    (_, head: string, name: string) => `${head}${tables[name]?.() ?? ''}\n`,
  );

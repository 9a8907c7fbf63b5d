import { actionNames, actionOf, endpointFor } from '../src/scenario/language/actions.ts';
import { testNames, testShapes } from '../src/scenario/language/matchers.ts';
import { functions } from '../src/scenario/language/infer-types.ts';
import { scenarioKeys } from '../src/scenario/language/scenario-file.ts';
import { commonFields } from '../src/scenario/language/steps/act.ts';
import { stepKeywords, stepTypes } from '../src/scenario/language/steps/index.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import { roles } from '../src/spec/vocabulary.ts';
import { table } from './markdown-table.ts';

const textOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  table(head, rows).join('\n');

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/** Methods and paths of an action, one for each endpoint that serves a role. */
function route(name: (typeof actionNames)[number]): string {
  const used = roles.flatMap((role) => {
    const endpoint = endpointFor(name, role);
    const may: readonly string[] = endpoint ? endpoints[endpoint].roles : [];
    return endpoint && (may.length === 0 || may.includes(role)) ? [endpoint] : [];
  });
  const routes = [...new Set(used)].map((one) => `${endpoints[one].method} ${endpoints[one].path}`);
  return routes.length > 0 ? code(routes) : '';
}

/** The calls of an expression, and the result of each. */
const functionDocs: { readonly [name in keyof typeof functions]: readonly [string, string] } = {
  now: ['now()', 'The current moment.'],
  next: [
    'next("23:59:58.500")',
    'The next moment of this time in UTC, or of a date and time: `12-31T23:59:58.500`.',
  ],
  epoch: ['epoch(moment)', 'Whole seconds since 1970, as in tokens.'],
  round: ['round(number, places)', 'Rounded to this number of decimal places, half up.'],
  round_up: ['round_up(number, places)', 'Rounded away from zero.'],
  round_down: ['round_down(number, places)', 'Rounded towards zero.'],
  min: ['min(a, b)', 'The smaller or earlier of two.'],
  max: ['max(a, b)', 'The greater or later of two.'],
  count: ['count(list)', 'The number of items.'],
  drawn: [
    'drawn(least, most, places)',
    'A decimal drawn by the seed, with this number of decimal places. One in four is an end of the range.',
  ],
  joined: ['joined(list, list)', 'One list with the items of both.'],
  claims: ['claims(token)', 'The claims of a token, whoever signed it.'],
  unsigned: [
    'unsigned(token)',
    'A token with the same claims, the algorithm `none` and no signature.',
  ],
  signed: [
    'signed(token, changes)',
    "A token with changed claims, signed with the target's own key. `null` removes a claim.",
  ],
  holdings: ['holdings()', "The reference's ledger, which no endpoint shows."],
};

const keys = (needs: readonly string[], takes: readonly string[]): string =>
  [...needs.map((key) => `**\`${key}\`**`), ...takes.map((key) => `\`${key}\``)].join(', ');

const tables: Readonly<Record<string, () => string>> = {
  keys: () =>
    textOf(
      ['Key', 'Meaning'],
      Object.entries(scenarioKeys.fields).map(([key, { schema }]) => [
        `\`${key}\``,
        schema.description ?? '',
      ]),
    ),
  steps: () =>
    textOf(
      ['Step', 'Keys (required keys in bold)', 'Endpoint, or what it does'],
      [
        ...actionNames.map((name) => {
          const { does, needs, takes } = actionOf(name);
          return [`\`${name}\``, keys(needs, takes), route(name) || does];
        }),
        ['each of these', code(Object.keys(commonFields)), 'takes these keys too'],
        ...stepKeywords.map((name) => {
          const { doc, keys: own } = stepTypes[name];
          const { fields, required: needs }: { fields: object; required: readonly string[] } = own;
          const takes = Object.keys(fields).filter((key) => !needs.includes(key));
          return [`\`${name}\``, keys(needs, takes), doc];
        }),
      ],
    ),
  calls: () =>
    textOf(
      ['Function or matcher', 'Result, or value that matches'],
      [
        ...Object.values(functionDocs).map(([call, result]) => [`\`${call}\``, result]),
        ...testNames.map((name) => [`\`${name}:\``, testShapes[name].schema.description ?? '']),
      ],
    ),
};

/** docs/scenarios.md with its tables as the definitions have them that the language is read by. */
export const withDocsTables = (page: string): string =>
  page.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(?=<!-- end -->)/g,
    (_, head: string, name: string) => `${head}${tables[name]?.() ?? ''}\n`,
  );

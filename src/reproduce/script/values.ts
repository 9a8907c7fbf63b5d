import { forms } from '../../spec/forms.ts';
import type { Claim, PathPart, Template, Test } from '../steps.ts';

/** Values and conditions as jq writes them, over all answers so far. */

/** Quotes any text as one word of the shell. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A text within double quotes. */
export const inQuotes = (text: string): string => text.replace(/[$`"\\}]/g, String.raw`\$&`);

const steps = (path: readonly (string | number)[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `[${JSON.stringify(part)}]`))
    .join('');

export function jqValue(template: Template): string {
  switch (template.kind) {
    case 'plain':
      return JSON.stringify(template.value ?? null);
    case 'answer':
      return `.${template.step}.body${steps(template.path)}`;
    case 'sent':
      return `.${template.step}.sent${steps(template.path)}`;
    case 'party':
      return `.parties.${template.party}`;
    case 'later':
      return `later(${template.ms})`;
    case 'fresh':
      return `$hex[0:${template.digits}]${template.end === '' ? '' : ` + ${JSON.stringify(template.end)}`}`;
    case 'text':
      return `(${template.parts.map(jqValue).join(' + ')})`;
    case 'object':
      return `{${template.fields.map(([name, value]) => `${JSON.stringify(name)}: (${jqValue(value)})`).join(', ')}}`;
    case 'list':
      return `[${template.items.map(jqValue).join(', ')}]`;
    case 'count':
      return `(${jqValue(template.of)} | length)`;
    case 'claims':
      return `(${jqValue(template.of)} | claims)`;
    case 'field':
      return `(${jqValue(template.of)} | .[${JSON.stringify(template.field)}])`;
    case 'epoch':
      return `(${jqValue(template.of)} | number / 1000 | floor)`;
    case 'joined':
      return `(${template.lists.map(jqValue).join(' + ')})`;
    case 'pages':
      return `(${jqValue(template.items)} / ${jqValue(template.size)} | ceil)`;
    case 'duration':
      return String(template.ms);
    case 'math':
      return `((${jqValue(template.left)} | number) ${template.op} (${jqValue(template.right)} | number))`;
  }
}

/** jq for one part of a path; the input is the root. `$all` has all answers. */
function jqPart(part: Exclude<PathPart, { readonly each: true }>): string {
  if (typeof part === 'string') return `.[${JSON.stringify(part)}]?`;
  const id = jqValue(part.is);
  return `(if type == "array" then map(select(same(.[${JSON.stringify(part.where)}]?; $all | ${id})))[0] else null end)`;
}

/** A condition on the value at a path. For a path through `each`: on all items of the list. */
function jqAt(path: readonly PathPart[], condition: string): string {
  return path.reduceRight<string>((inner, part) => {
    if (typeof part === 'object' && 'each' in part) {
      return `(type == "array" and all(.[]; ${inner}))`;
    }
    return `${jqPart(part)} | ${inner}`;
  }, condition);
}

/** Value at a path, for a message. For a path through `each`: the whole list. */
export function jqPath(path: readonly PathPart[]): string {
  const parts: string[] = [];
  for (const part of path) {
    if (typeof part === 'object' && 'each' in part) break;
    parts.push(`| ${jqPart(part)}`);
  }
  return parts.join(' ');
}

/** A condition on the input. */
export function jqTest(test: Test): string {
  switch (test.test) {
    case 'equals':
      return `. as $v | same($v; $all | ${jqValue(test.value)})`;
    case 'differs':
      return `${jqTest({ ...test, test: 'equals' })} | not`;
    case 'lacks':
      return `${jqTest({ ...test, test: 'names' })} | not`;
    case 'names':
      return `tojson | contains($all | ${jqValue(test.value)} | tostring)`;
    case 'at_most':
      return `number <= ($all | ${jqValue(test.value)} | number)`;
    case 'at_least':
      return `number >= ($all | ${jqValue(test.value)} | number)`;
    case 'near':
      return `number - ($all | ${jqValue(test.value)} | number) | fabs <= ${test.within}`;
    case 'any':
      return test.of.map((one) => `(${jqTest(one)})`).join(' or ');
    case 'one_of':
      return `. as $v | ${JSON.stringify(test.values)} | index([$v]) != null`;
    case 'present':
      return '. != null';
    case 'absent':
      return '. == null';
    case 'object':
      return 'type == "object"';
    case 'list':
      return 'type == "array"';
    case 'text':
      return 'type == "string"';
    case 'count':
      return 'type == "number" and . >= 0 and . == floor';
    case 'unique':
      return `type == "array" and (map(.[${JSON.stringify(test.field)}]? | select(. != null) | norm) | length == (unique | length))`;
    case 'field':
      return `.[${JSON.stringify(test.field)}]? | ${jqTest(test.is)}`;
    case 'form':
      return `type == "string" and test(${JSON.stringify(forms[test.form].pattern)})`;
  }
}

/** A condition over all answers. */
export function jqCondition(claim: Claim): string {
  if (claim.kind === 'status') return `.${claim.step}.status | ${statusTest(claim.must)}`;
  if (claim.kind === 'compare') {
    return `. as $all | ${jqValue(claim.value)} | ${jqTest(claim.test)}`;
  }
  if (claim.kind === 'value') {
    const holds = `(.${claim.step}.${claim.of} | ${jqAt(claim.path, jqTest(claim.test))})`;
    if (!claim.orRefused) return `. as $all | ${holds}`;
    return `. as $all | (.${claim.step}.status | ${statusTest('be refused')}) or ${holds}`;
  }
  if (claim.kind === 'alike')
    throw new Error('no script has steps taken by one and then by another');
  if (claim.kind === 'lines')
    return `. as $all | .${claim.stream}.events | ${linesTest(claim.must)}`;
  const picked = [
    `select(.event == ${JSON.stringify(claim.event)})`,
    ...(claim.of ? [`select(.data | names_order($all | ${jqValue(claim.of)}))`] : []),
    ...claim.fields.map(([path, one]) => `select(.data | ${jqAt(path, jqTest(one))})`),
  ];
  const count = countTest(claim.must);
  return `. as $all | [${eventsOf(claim)} | ${picked.join(' | ')}] | length ${count}`;
}

function linesTest(must: Extract<Claim, { kind: 'lines' }>['must']): string {
  if (must === 'have names') return 'all(.[]; .event != "" or .text == "")';
  if (must === 'have JSON') {
    return 'all(.[] | select(.event != ""); .text | try (fromjson | true) catch false)';
  }
  return jqTest({ test: 'lacks', value: must.lack });
}

/** Events on the streams of a claim. */
export const eventsOf = ({ stream, or = [] }: Extract<Claim, { kind: 'event' }>): string =>
  `(${[stream, ...or].map((name) => `.${name}.events[]`).join(', ')})`;

function countTest(must: Extract<Claim, { kind: 'event' }>['must']): string {
  if (must === 'come') return '> 0';
  if (must === 'not come') return '== 0';
  if (must === 'come once at most') return '<= 1';
  if (typeof must === 'number') return `== ${must}`;
  return 'atMost' in must ? `<= ${must.atMost}` : `>= ${must.atLeast}`;
}

function statusTest(must: Extract<Claim, { kind: 'status' }>['must']): string {
  switch (must) {
    case 'succeed':
      return '. >= 200 and . < 300';
    case 'be refused':
      return '. >= 400 and . < 500';
    case 'be answered':
      return '(. >= 200 and . < 300) or (. >= 400 and . < 500)';
    default:
      return `. == ${must}`;
  }
}

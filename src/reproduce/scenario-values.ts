import { isObject } from '../history/json.ts';
import { forms, hasForm } from '../spec/forms.ts';
import { formatDuration } from '../yaml/index.ts';
import type { PathPart, ReproStep, Template, Test } from './steps.ts';

/** Values as the scenario language writes them. */
export interface ScenarioNames {
  /** Names saved by actions: for these, `$name.field` is a field of the data; for other names, of the whole answer. */
  readonly actions: ReadonlySet<string>;
  readonly steps: ReadonlyMap<string, ReproStep>;
}

/** An expression without its dollar sign and braces. Undefined if the template is no reference. */
export function expression(template: Template, names: ScenarioNames): string | undefined {
  switch (template.kind) {
    case 'party':
      return `${template.party}.party_id`;
    case 'later':
      return template.ms < 0
        ? `now() - ${formatDuration(-template.ms)}`
        : `now() + ${formatDuration(template.ms)}`;
    case 'sent':
      return answered(template.step, ['data', ...template.path], names);
    case 'answer':
      return answered(template.step, template.path, names);
    case 'count':
    case 'claims':
    case 'epoch':
      return `${template.kind}(${expression(template.of, names) ?? 'null'})`;
    case 'field':
      return `${expression(template.of, names)}.${template.field}`;
    case 'joined': {
      const [first, ...rest] = template.lists.map((list) => expression(list, names) ?? 'null');
      return rest.reduce((before, list) => `joined(${before}, ${list})`, first ?? 'null');
    }
    case 'pages': {
      const [items, size] = [template.items, template.size].map((one) => expression(one, names));
      return `round_up(${items} / ${size}, 0)`;
    }
    case 'duration':
      return formatDuration(template.ms);
    case 'math': {
      const [left, right] = [template.left, template.right].map(
        (one) => expression(one, names) ?? JSON.stringify(one.kind === 'plain' ? one.value : null),
      );
      return `(${left} ${template.op} ${right})`;
    }
    case 'plain':
    case 'fresh':
    case 'text':
    case 'object':
    case 'list':
      return undefined;
  }
}

function answered(step: string, path: readonly (string | number)[], names: ScenarioNames): string {
  const within = names.actions.has(step) && path[0] === 'data' ? path.slice(1) : ['body', ...path];
  return within.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}.${part}`),
    step,
  );
}

/** A text as the language writes it: a dollar sign begins an expression, and two are one. */
export const literalText = (text: string): string => text.replaceAll('$', '$$$$');

/** A value as the scenario writes it. */
export function valueOf(template: Template, names: ScenarioNames): unknown {
  const reference = expression(template, names);
  if (reference !== undefined) return `\${${reference}}`;
  switch (template.kind) {
    case 'plain':
      return literal(template.value);
    case 'text':
      return template.parts
        .map((part) => {
          const of = expression(part, names);
          if (of !== undefined) return `\${${of}}`;
          return part.kind === 'plain' ? literalText(String(part.value)) : '';
        })
        .join('');
    case 'object':
      return Object.fromEntries(
        template.fields.map(([name, value]) => [name, valueOf(value, names)]),
      );
    case 'list':
      return template.items.map((item) => valueOf(item, names));
    case 'fresh':
      // Orders have theirs filled in; elsewhere any digits do.
      return `${'0'.repeat(template.digits)}${template.end}`;
    case 'party':
    case 'later':
    case 'sent':
    case 'answer':
    case 'count':
    case 'claims':
    case 'epoch':
    case 'field':
    case 'joined':
    case 'pages':
    case 'duration':
    case 'math':
      return null;
  }
}

/** A JSON value without expressions. */
export function literal(value: unknown): unknown {
  if (typeof value === 'string') return literalText(value);
  if (Array.isArray(value)) return value.map(literal);
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, literal(one)]));
}

/** A matcher of the language. */
export type Matcher = unknown;

/** A test as a matcher. */
export function matcherOf(test: Test, names: ScenarioNames): Matcher {
  switch (test.test) {
    case 'equals':
      return equalTo(test.value, names);
    case 'differs':
      return { not: equalTo(test.value, names) };
    case 'lacks':
      return { not: { contains: valueOf(test.value, names) } };
    case 'names':
      return { contains: valueOf(test.value, names) };
    case 'at_most':
    case 'at_least':
      return { [test.test]: valueOf(test.value, names) };
    case 'near': {
      const value = valueOf(test.value, names);
      return typeof test.within === 'number'
        ? { moment: value, within: formatDuration(test.within) }
        : { decimal: value, within: test.within };
    }
    case 'any':
      return { any_of: test.of.map((one) => matcherOf(one, names)) };
    case 'unique':
      return { unique: test.field };
    case 'field':
      return { [test.field]: matcherOf(test.is, names) };
    case 'one_of':
      return { one_of: test.values.map(literal) };
    case 'present':
    case 'absent':
      return { [test.test]: true };
    case 'form':
      return test.form === 'text' ? anyText : { format: test.form };
    case 'text':
      return anyText;
    case 'list':
      return { length: { at_least: 0 } };
    case 'count':
      // Text has a length, a number has none.
      return { at_least: 0, not: { length: { at_least: 0 } } };
    case 'object':
      return { present: true, not: { length: { at_least: 0 } } };
  }
}

const anyText = { matches: literalText(forms.text.pattern) };

function equalTo(template: Template, names: ScenarioNames): Matcher {
  const value = template.kind === 'plain' ? template.value : undefined;
  if (hasForm('decimal', value)) return { decimal: literal(value) };
  if (hasForm('timestamp', value)) return { moment: literal(value) };
  if (typeof value === 'object' && value !== null) return { exactly: literal(value) };
  return valueOf(template, names);
}

/** A test of the value at a path, from the inside out. */
export function matcherAt(path: readonly PathPart[], test: Test, names: ScenarioNames): Matcher {
  return path.reduceRight<Matcher>(
    (inner, part, index) => {
      if (typeof part === 'string') return { [part]: inner };
      if ('each' in part) return { each: inner };
      const known = { [part.where]: valueOf(part.is, names) };
      if (index < path.length - 1) return { contains: { ...known, ...(inner as object) } };
      if (test.test === 'absent') return { not: { contains: known } };
      return { contains: known };
    },
    matcherOf(test, names),
  );
}

import { forms, hasForm } from '../spec/forms.ts';
import { formatDuration } from '../yaml/index.ts';
import type { PathPart, ReproStep, Template, Test } from './steps.ts';

/** Values as the scenario language writes them, in the flow style of YAML. */
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
        (one) => expression(one, names) ?? plainText(one.kind === 'plain' ? one.value : null),
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

const quoted = (text: string): string => JSON.stringify(text.replaceAll('$', '$$$$'));

/** A value in the flow style of YAML, which JSON is. */
export function valueText(template: Template, names: ScenarioNames): string {
  const reference = expression(template, names);
  if (reference !== undefined) return JSON.stringify(`\${${reference}}`);
  switch (template.kind) {
    case 'plain':
      return plainText(template.value);
    case 'text': {
      const parts = template.parts.map((part) => {
        const of = expression(part, names);
        if (of !== undefined) return `\${${of}}`;
        return part.kind === 'plain' ? String(part.value).replaceAll('$', '$$$$') : '';
      });
      return JSON.stringify(parts.join(''));
    }
    case 'object': {
      const fields = template.fields.map(
        ([name, value]) => `${JSON.stringify(name)}: ${valueText(value, names)}`,
      );
      return `{ ${fields.join(', ')} }`;
    }
    case 'list':
      return `[${template.items.map((item) => valueText(item, names)).join(', ')}]`;
    case 'fresh':
      // Orders have theirs filled in; elsewhere any digits do.
      return JSON.stringify(`${'0'.repeat(template.digits)}${template.end}`);
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
      return 'null';
  }
}

export function plainText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(plainText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${plainText(one)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** A test as a matcher of the language. */
export function matcherText(test: Test, names: ScenarioNames): string {
  switch (test.test) {
    case 'equals':
      return equalText(test.value, names);
    case 'differs':
      return `{ not: ${equalText(test.value, names)} }`;
    case 'lacks':
      return `{ not: { contains: ${valueText(test.value, names)} } }`;
    case 'names':
      return `{ contains: ${valueText(test.value, names)} }`;
    case 'at_most':
    case 'at_least':
      return `{ ${test.test}: ${valueText(test.value, names)} }`;
    case 'near': {
      const kind = typeof test.within === 'number' ? 'moment' : 'decimal';
      const within =
        typeof test.within === 'number' ? formatDuration(test.within) : JSON.stringify(test.within);
      return `{ ${kind}: ${valueText(test.value, names)}, within: ${within} }`;
    }
    case 'any':
      return `{ any_of: [${test.of.map((one) => matcherText(one, names)).join(', ')}] }`;
    case 'unique':
      return `{ unique: ${test.field} }`;
    case 'field':
      return `{ ${JSON.stringify(test.field)}: ${matcherText(test.is, names)} }`;
    case 'one_of':
      return `{ one_of: [${test.values.map(plainText).join(', ')}] }`;
    case 'present':
    case 'absent':
      return `{ ${test.test}: true }`;
    case 'form':
      return test.form === 'text'
        ? matcherText({ test: 'text' }, names)
        : `{ format: ${test.form} }`;
    case 'text':
      return `{ matches: ${quoted(forms.text.pattern)} }`;
    case 'list':
      return '{ length: { at_least: 0 } }';
    case 'count':
      // Text has a length, a number has none.
      return '{ at_least: 0, not: { length: { at_least: 0 } } }';
    case 'object':
      return '{ present: true, not: { length: { at_least: 0 } } }';
  }
}

function equalText(template: Template, names: ScenarioNames): string {
  const { value } = template.kind === 'plain' ? template : { value: undefined };
  if (hasForm('decimal', value)) return `{ decimal: ${quoted(value)} }`;
  if (hasForm('timestamp', value)) return `{ moment: ${quoted(value)} }`;
  if (typeof value === 'object' && value !== null) return `{ exactly: ${plainText(value)} }`;
  return valueText(template, names);
}

/** Wraps a matcher into its path, from the inside out. */
export function nested(path: readonly PathPart[], matcher: string, names: ScenarioNames): string {
  return path.reduceRight<string>((inner, part, index) => {
    if (typeof part === 'string') return `{ ${JSON.stringify(part)}: ${inner} }`;
    if ('each' in part) return `{ each: ${inner} }`;
    const known = `${JSON.stringify(part.where)}: ${valueText(part.is, names)}`;
    const isLast = index === path.length - 1;
    if (isLast && matcher === '{ present: true }') return `{ contains: { ${known} } }`;
    if (isLast && matcher === '{ absent: true }') return `{ not: { contains: { ${known} } } }`;
    const rest = typeof path[index + 1] === 'string' ? `, ${inner.slice(2, -2)}` : '';
    return `{ contains: { ${known}${rest} } }`;
  }, matcher);
}

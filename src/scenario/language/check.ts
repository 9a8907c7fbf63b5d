import { eventKinds, heartbeat, type StreamName } from '../../spec/events.ts';
import { cast, requirements } from '../../spec/requirements/index.ts';
import { suggestion } from '../../yaml/index.ts';
import { ActionChecker, type Names } from './check-actions.ts';
import { cellType, ValueChecker } from './check-values.ts';
import { type Complain, infer } from './infer-types.ts';
import type { Located } from './reader.ts';
import type {
  AsEachStep,
  ParsedScenario,
  EventMatcher,
  SeesStep,
  Step,
  Template,
  UseStep,
} from './model.ts';
import {
  count,
  decimal,
  duration,
  named,
  payloadType,
  resourceType,
  text,
  time,
  type Type,
  unknown,
} from './types.ts';

/** Types of template parameters, by their declared kind. */
export const parameterTypes = {
  text,
  decimal,
  moment: time,
  duration,
  number: count,
  order: resourceType('order'),
  quote: resourceType('own-quote'),
} as const;

const eventsOf = (stream: StreamName): readonly string[] => [
  ...Object.entries(eventKinds).flatMap(([name, kind]) => (kind.stream === stream ? [name] : [])),
  heartbeat,
];

/** Checks that every name is known and every value fits, before anything runs. */
export class Checker {
  readonly #complain: Complain;
  readonly #values: ValueChecker;
  readonly #actions: ActionChecker;
  readonly #templates: ReadonlyMap<string, Template>;
  /** Values that each template gives; `undefined` while the template is being checked. */
  readonly #given = new Map<string, Names | undefined>();
  #assertions = 0;

  constructor(templates: ReadonlyMap<string, Template>, complain: Complain) {
    this.#templates = templates;
    this.#complain = complain;
    this.#values = new ValueChecker(complain);
    this.#actions = new ActionChecker(complain);
  }

  scenario(draft: ParsedScenario): void {
    this.templates(draft.templates);
    this.#verifies(draft);
    const names: Names = new Map();
    for (const { key, value } of draft.values) {
      names.set(key, cellType(value));
      this.#values.arg(value, new Map());
    }
    this.#examples(draft, names);
    this.#assertions = 0;
    this.#steps(draft.setup, names);
    this.#steps(draft.steps, names);
    this.#steps(draft.always, names);
    if (this.#assertions === 0) {
      this.#complain(draft.title.at, 'the scenario asserts nothing', {
        expected: 'an expect, a refused or an answered in one of its steps',
      });
    }
  }

  templates(templates: readonly Template[]): void {
    for (const template of templates) this.#template(template);
  }

  #verifies(draft: ParsedScenario): void {
    for (const { value, at } of draft.verifies) {
      if (Object.hasOwn(requirements, value)) continue;
      const hint = suggestion(value, Object.keys(requirements));
      this.#complain(at, `no requirement is named ${JSON.stringify(value)}`, { hint });
    }
  }

  #examples({ examples }: ParsedScenario, names: Names): void {
    const [first] = examples;
    if (!first) return;
    for (const { key, at, value } of first.cells) {
      if (names.has(key))
        this.#complain(at, `${JSON.stringify(key)} stands under "values" as well`);
      names.set(key, cellType(value));
    }
    const columns = first.cells.map(({ key }) => key);
    for (const row of examples) {
      const keys = row.cells.map(({ key }) => key);
      const lacks = columns.find((key) => !keys.includes(key));
      if (lacks !== undefined)
        this.#complain(row.at, `this example lacks ${JSON.stringify(lacks)}`);
      for (const { key, at, value } of row.cells) {
        const type = columns.includes(key) ? names.get(key) : undefined;
        if (!type) {
          this.#complain(at, `the first example has no ${JSON.stringify(key)}`);
        } else if (cellType(value).kind !== type.kind) {
          const found = named(cellType(value));
          this.#complain(value.at, `found ${found}`, {
            expected: `${named(type)}, as in the first example`,
          });
        }
        this.#values.arg(value, new Map());
      }
    }
  }

  #template(template: Template): Names {
    const known = this.#given.get(template.name);
    if (known) return known;
    if (this.#given.has(template.name)) {
      this.#complain(template.at, `the template ${JSON.stringify(template.name)} uses itself`);
      return new Map();
    }
    this.#given.set(template.name, undefined);
    const names: Names = new Map();
    for (const { key, value } of template.takes) {
      const type = parameterTypes[value.kind];
      if (value.otherwise) this.#values.fits(value.otherwise, type, new Map());
      names.set(key, type);
    }
    const before = this.#assertions;
    this.#steps(template.steps, names);
    this.#asserted.set(template.name, this.#assertions - before);
    this.#assertions = before;
    const given: Names = new Map();
    for (const { value, at } of template.gives) {
      const type = names.get(value);
      if (type) given.set(value, type);
      else this.#complain(at, `no step of the template saves ${JSON.stringify(value)}`);
    }
    this.#given.set(template.name, given);
    return given;
  }
  readonly #asserted = new Map<string, number>();

  #steps(steps: readonly Step[], names: Names): void {
    for (const step of steps) this.#step(step, names);
  }

  #step(step: Step, names: Names): void {
    switch (step.kind) {
      case 'broken':
        this.#assertions += 1;
        if (step.read) this.#step(step.read, names);
        for (const name of step.saves) if (!names.has(name)) names.set(name, unknown);
        return;
      case 'act':
        this.#assertions += this.#actions.check(step, names);
        return;
      case 'sees':
        return this.#sees(step, names);
      case 'assert':
        this.#assertions += 1;
        return this.#values.matcher(step.is, infer(step.value, names, this.#complain), names);
      case 'wait':
        if (typeof step.value !== 'number') {
          this.#values.located(step.value, step.how === 'for' ? duration : time, names);
        }
        return;
      case 'fault':
        if (step.of) this.#values.order(step.of, names);
        return;
      case 'let':
        for (const { key, value } of step.values) names.set(key, this.#values.arg(value, names));
        return;
      case 'together': {
        const branches = step.branches.map((branch) => {
          const own: Names = new Map(names);
          this.#steps(branch, own);
          return own;
        });
        for (const own of branches) {
          for (const [name, type] of own) names.set(name, type);
        }
        return;
      }
      case 'repeat': {
        const own: Names = new Map(names);
        const item = typeof step.times === 'number' ? count : this.#itemOf(step.times, names);
        if (step.as) own.set(step.as.value, item);
        return this.#steps(step.steps, own);
      }
      case 'as_each':
        return this.#asEach(step, names);
      case 'use':
        return this.#use(step, names);
    }
  }

  #itemOf(list: Located, names: Names): Type {
    const type = infer(list, names, this.#complain);
    if (type.kind === 'list') return type.item;
    if (type.kind !== 'unknown')
      this.#complain(list.at, `found ${named(type)}`, { expected: 'a list, such as $page.items' });
    return unknown;
  }

  /** Parties that swap parts have the same role, so a check for one holds for the other. */
  #asEach({ at, parties, alikeFor, steps }: AsEachStep, names: Names): void {
    this.#assertions += 1;
    const [first] = parties;
    if (!first || new Set(parties.map(({ value }) => value)).size < Math.max(2, parties.length)) {
      this.#complain(at, '"as_each" takes two parties or more, each once');
      return;
    }
    for (const { value, at: place } of parties) {
      if (cast[value] === cast[first.value]) continue;
      const expected = `another ${cast[first.value]}, like ${first.value}`;
      this.#complain(place, `${value} is of role ${cast[value]}`, { expected });
    }
    for (const { value, at: place } of alikeFor) {
      if (!parties.some((one) => one.value === value)) continue;
      this.#complain(place, `${value} takes the steps itself, so it knows who it is`);
    }
    this.#steps(steps, new Map(names));
  }

  #use(step: UseStep, names: Names): void {
    const template = this.#templates.get(step.template.value);
    if (!template) {
      const known = [...this.#templates.keys()];
      const hint = suggestion(step.template.value, known);
      this.#complain(
        step.template.at,
        `there is no template ${JSON.stringify(step.template.value)}`,
        {
          expected:
            known.length > 0 ? `one of ${known.join(', ')}` : 'templates, or imports of them',
          hint,
        },
      );
      return;
    }
    const given = this.#template(template);
    this.#assertions += this.#asserted.get(template.name) ?? 0;
    for (const { key, at, value } of step.with) {
      const parameter = template.takes.find((one) => one.key === key)?.value;
      if (parameter) this.#values.fits(value, parameterTypes[parameter.kind], names);
      else {
        const hint = suggestion(
          key,
          template.takes.map((one) => one.key),
        );
        this.#complain(at, `${JSON.stringify(template.name)} takes no ${JSON.stringify(key)}`, {
          expected: template.takes.map((one) => one.key).join(', ') || 'nothing',
          hint,
        });
      }
    }
    for (const { key, value } of template.takes) {
      if (value.otherwise || step.with.some((one) => one.key === key)) continue;
      this.#complain(
        step.template.at,
        `${JSON.stringify(template.name)} is not told its ${JSON.stringify(key)}`,
      );
    }
    for (const { given: name, name: own, at } of step.save) {
      const type = given.get(name);
      if (type) names.set(own, type);
      else {
        this.#complain(at, `${JSON.stringify(template.name)} gives no ${JSON.stringify(name)}`, {
          expected: [...given.keys()].join(', ') || 'nothing',
        });
      }
    }
  }

  #sees(step: SeesStep, names: Names): void {
    this.#assertions += 1;
    if (step.of) this.#values.order(step.of, names);
    if (step.on) this.#values.located(step.on, { kind: 'stream' }, names);
    if (step.since) this.#values.located(step.since, time, names);
    const lists = [step.in_order, step.in_any_order, step.exactly, step.never, step.at_most_once];
    for (const one of lists.flatMap((list) => list ?? [])) this.#event(one, step, names);
    for (const { key, at, value } of step.count ?? []) {
      this.#event({ at, event: key }, step, names);
      this.#values.matcher(value, count, names);
    }
  }

  #event({ at, event, payload }: EventMatcher, step: SeesStep, names: Names): void {
    for (const party of [step.party, ...step.or]) {
      const known = eventsOf(cast[party] === 'market-maker' ? 'maker' : 'order');
      if (known.includes(event)) continue;
      const hint = suggestion(event, known);
      this.#complain(at, `${JSON.stringify(event)} is no event of ${party}'s stream`, {
        expected: `one of ${known.join(', ')}`,
        hint,
      });
    }
    if (payload) this.#values.matcher(payload, payloadType(event), names);
  }
}

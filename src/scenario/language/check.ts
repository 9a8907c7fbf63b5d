import { eventKinds, heartbeat, type StreamName } from '../../spec/events.ts';
import { cast, castNames, requirements } from '../../spec/requirements/index.ts';
import { checkAction } from './check-actions.ts';
import { argType, cellType, checkLocated, checkMatcher, checkOrder, fits } from './check-values.ts';
import { type Complain, infer, type Names, type Scope } from './infer-types.ts';
import type { ParsedScenario, Template } from './scenario-file.ts';
import type { EventMatcher, SeesStep } from './steps/expect.ts';
import type { AsEachStep, Step, UseStep } from './steps/index.ts';
import {
  count,
  decimal,
  duration,
  named,
  payloadType,
  resourceType,
  stream,
  text,
  time,
  type Type,
  unknown,
} from './types.ts';
import { oneOfThese, type SourceLocation, suggestion } from '../../yaml/index.ts';
import type { Located } from './arg.ts';

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

const eventsOf = (name: StreamName): readonly string[] => [
  ...Object.entries(eventKinds).flatMap(([event, kind]) => (kind.stream === name ? [event] : [])),
  heartbeat,
];

/** Copies the names that steps saved: where `own`, their copy, differs from what was known before them. */
export function copySaved<T>(
  own: ReadonlyMap<string, T>,
  before: ReadonlyMap<string, T>,
  to: Map<string, T>,
): void {
  for (const [name, value] of own) if (before.get(name) !== value) to.set(name, value);
}

/** Names that steps save, for the steps after them. */
const savedBy = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap((step): readonly string[] => {
    switch (step.kind) {
      case 'act':
        return step.save ? [step.save.value] : [];
      case 'let':
        return step.values.map(({ key }) => key);
      case 'use':
        return (step.save ?? []).map(({ value }) => value.value);
      case 'together':
        return step.branches.flatMap(savedBy);
      case 'meanwhile':
        return savedBy(step.steps);
      case 'broken':
        return step.saves;
      case 'sees':
      case 'assert':
      case 'wait':
      case 'fault':
      case 'repeat':
      case 'as_each':
        return [];
    }
  });

/** Facts about a template that has been checked: the values that it gives, and the number of its assertions. */
interface Checked {
  readonly gives: Names;
  readonly assertions: number;
}

/** Checks that every name is known and every value fits, before anything runs. */
export class Checker {
  readonly #complain: Complain;
  readonly #templates: ReadonlyMap<string, Template>;
  /** `undefined` while the template is being checked. */
  readonly #checked = new Map<string, Checked | undefined>();
  #isInTemplate = false;
  readonly #cells = new Map<string, string>();

  constructor(templates: ReadonlyMap<string, Template>, complain: Complain) {
    this.#templates = templates;
    this.#complain = complain;
  }

  scenario(draft: ParsedScenario): void {
    this.templates(draft.templates);
    for (const { value, at } of draft.verifies) {
      if (Object.hasOwn(requirements, value)) continue;
      const hint = suggestion(value, Object.keys(requirements));
      this.#complain(at, `no requirement is named ${JSON.stringify(value)}`, { hint });
    }
    const names: Names = new Map();
    for (const { key, at, value } of draft.values) {
      this.#refuseParty(key, at);
      names.set(key, cellType(value));
      argType(value, this.#scope());
    }
    this.#examples(draft, names);
    const lists = [draft.setup, draft.steps, draft.always];
    if (lists.reduce((sum, steps) => sum + this.#steps(steps, names), 0) > 0) return;
    this.#complain(draft.title.at, 'the scenario asserts nothing', {
      expected: 'an expect, a refused or an answered in one of its steps',
    });
  }

  templates(templates: readonly Template[]): void {
    for (const template of templates) this.#template(template);
  }

  #scope(names: Names = new Map()): Scope {
    const inTemplate = this.#isInTemplate;
    return {
      names,
      complain: this.#complain,
      inTemplate,
      ...(!inTemplate && { cells: this.#cells }),
    };
  }

  #examples({ examples }: ParsedScenario, names: Names): void {
    const [first] = examples;
    if (!first) return;
    for (const { key, at, value } of first.cells) {
      if (names.has(key))
        this.#complain(at, `${JSON.stringify(key)} stands under "values" as well`);
      this.#refuseParty(key, at);
      names.set(key, cellType(value));
      if (value.kind === 'plain') this.#cells.set(key, value.written);
    }
    const columns = first.cells.map(({ key }) => key);
    for (const row of examples) {
      const keys = row.cells.map(({ key }) => key);
      const lacks = columns.find((key) => !keys.includes(key));
      if (lacks !== undefined)
        this.#complain(row.at, `this example lacks ${JSON.stringify(lacks)}`);
      for (const { key, at, value } of row.cells) {
        const type = columns.includes(key) ? names.get(key) : undefined;
        const found = cellType(value);
        if (!type) this.#complain(at, `the first example has no ${JSON.stringify(key)}`);
        else if (found.kind !== type.kind) {
          const expected = `${named(type)}, as in the first example`;
          this.#complain(value.at, `${JSON.stringify(key)} is ${named(found)}`, { expected });
        }
        argType(value, this.#scope());
      }
    }
  }

  /** A value with the name of a party would hide `$sender`. */
  #refuseParty(name: string, at: SourceLocation): void {
    if (!(castNames as string[]).includes(name)) return;
    this.#complain(at, `found ${JSON.stringify(name)}`, { expected: "a name that is no party's" });
  }

  #template({ key: name, at, value: template }: Template): Checked {
    const known = this.#checked.get(name);
    if (known) return known;
    if (this.#checked.has(name)) {
      this.#complain(at, `the template ${JSON.stringify(name)} uses itself`);
      return { gives: new Map(), assertions: 0 };
    }
    this.#checked.set(name, undefined);
    const names: Names = new Map();
    for (const { key, value } of template.takes ?? []) {
      const type = parameterTypes[value.kind.value];
      if (value.default) fits(value.default, type, this.#scope());
      names.set(key, type);
    }
    const outer = this.#isInTemplate;
    this.#isInTemplate = true;
    const assertions = this.#steps(template.steps, names);
    this.#isInTemplate = outer;
    const gives: Names = new Map();
    for (const one of template.gives ?? []) {
      const type = names.get(one.value);
      if (type) gives.set(one.value, type);
      else this.#complain(one.at, `no step of the template saves ${JSON.stringify(one.value)}`);
    }
    const checked = { gives, assertions };
    this.#checked.set(name, checked);
    return checked;
  }

  /** Checks steps, which add to the names; returns the number of their assertions. */
  #steps(steps: readonly Step[], names: Names): number {
    const atEnd: Names = new Map();
    const assertions = steps.reduce((sum, step) => sum + this.#step(step, names, atEnd), 0);
    for (const [name, type] of atEnd) names.set(name, type);
    return assertions;
  }

  /** @param atEnd Names that become known at the end of the list of steps. */
  #step(step: Step, names: Names, atEnd: Names): number {
    const scope = this.#scope(names);
    switch (step.kind) {
      case 'broken':
        if (step.read) this.#step(step.read, names, atEnd);
        for (const name of step.saves) if (!names.has(name)) names.set(name, unknown);
        return 1;
      case 'act':
        return checkAction(step, names, scope);
      case 'sees':
        this.#sees(step, scope);
        return 1;
      case 'assert':
        checkMatcher(step.is, infer(step.value, scope), scope);
        return 1;
      case 'wait': {
        if (typeof step.value === 'number') return 0;
        const until = `for a moment: until $${step.value.source}`;
        if (step.how === 'until') checkLocated(step.value, time, scope);
        else checkLocated(step.value, duration, scope, until);
        return 0;
      }
      case 'fault':
        if (step.of) checkOrder(step.of, scope);
        return 0;
      case 'let':
        for (const { key, at, value } of step.values) {
          this.#refuseParty(key, at);
          names.set(key, argType(value, scope));
        }
        return 0;
      case 'together': {
        const saved = step.branches.flatMap(savedBy).filter((name) => !names.has(name));
        const branches = step.branches.map((branch) => {
          const own: Names = new Map([
            ...names,
            ...saved.map((name) => [name, undefined] as const),
          ]);
          return { own, assertions: this.#steps(branch, own) };
        });
        const before = new Map(names);
        for (const { own } of branches) copySaved(own, before, names);
        return branches.reduce((sum, { assertions }) => sum + assertions, 0);
      }
      case 'meanwhile': {
        const own: Names = new Map(names);
        const assertions = this.#steps(step.steps, own);
        for (const [name, type] of own) {
          if (names.get(name) === type) continue;
          if (!atEnd.has(name)) atEnd.set(name, type);
          if (!names.has(name)) names.set(name, undefined);
        }
        return assertions;
      }
      case 'repeat': {
        const own: Names = new Map(names);
        const item = typeof step.times === 'number' ? count : this.#itemOf(step.times, scope);
        if (step.as) own.set(step.as.value, item);
        return this.#steps(step.steps, own);
      }
      case 'as_each':
        this.#asEach(step, names);
        return 1;
      case 'use':
        return this.#use(step, names);
    }
  }

  #itemOf(list: Located, scope: Scope): Type {
    const type = infer(list, scope);
    if (type.kind === 'list') return type.item;
    if (type.kind !== 'unknown') {
      const hint = type.kind === 'count' ? 'a number stands in the file itself: 3' : undefined;
      const expected = 'a list, such as $page.items';
      this.#complain(list.at, `found ${named(type)}`, { expected, hint });
    }
    return unknown;
  }

  /** Parties that swap parts have the same role, so a check for one holds for the other. */
  #asEach({ at, parties, alike_for: observers, steps }: AsEachStep, names: Names): void {
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
    for (const { value, at: place } of observers) {
      if (!parties.some((one) => one.value === value)) continue;
      this.#complain(place, `${value} takes the steps itself, so it knows who it is`);
    }
    this.#steps(steps, new Map(names));
  }

  #use(
    { template: { value: name, at: place }, with: given = [], save = [] }: UseStep,
    names: Names,
  ) {
    const template = this.#templates.get(name);
    if (!template) {
      const known = [...this.#templates.keys()];
      this.#complain(
        place,
        `there is no template ${JSON.stringify(name)}`,
        known.length > 0 ? oneOfThese(name, known) : { expected: 'templates, or imports of them' },
      );
      return 0;
    }
    const { gives, assertions } = this.#template(template);
    const { takes = [] } = template.value;
    const parameters = takes.map(({ key }) => key);
    for (const { key, at, value } of given) {
      const parameter = takes.find((one) => one.key === key)?.value;
      if (parameter) fits(value, parameterTypes[parameter.kind.value], this.#scope(names));
      else {
        this.#complain(at, `${JSON.stringify(name)} takes no ${JSON.stringify(key)}`, {
          expected: parameters.join(', ') || 'nothing',
          hint: suggestion(key, parameters),
        });
      }
    }
    for (const { key, value } of takes) {
      if (value.default || given.some((one) => one.key === key)) continue;
      this.#complain(place, `${JSON.stringify(name)} is not told its ${JSON.stringify(key)}`);
    }
    for (const { key, value: saved } of save) {
      const type = gives.get(key);
      if (type) names.set(saved.value, type);
      else {
        this.#complain(saved.at, `${JSON.stringify(name)} gives no ${JSON.stringify(key)}`, {
          expected: [...gives.keys()].join(', ') || 'nothing',
        });
      }
    }
    return assertions;
  }

  #sees(step: SeesStep, scope: Scope): void {
    if (step.of) checkOrder(step.of, scope);
    if (step.on) checkLocated(step.on, stream, scope);
    if (step.since) checkLocated(step.since, time, scope);
    const lists = [step.in_order, step.in_any_order, step.exactly, step.never, step.at_most_once];
    for (const one of lists.flatMap((list) => list ?? [])) this.#event(one, step, scope);
    for (const { key, at, value } of step.count ?? []) {
      this.#event({ at, event: key }, step, scope);
      checkMatcher(value, count, scope);
    }
  }

  #event({ at, event, payload }: EventMatcher, step: SeesStep, scope: Scope): void {
    for (const party of [step.party, ...step.or]) {
      const known = eventsOf(cast[party] === 'market-maker' ? 'maker' : 'order');
      if (known.includes(event)) continue;
      const message = `${JSON.stringify(event)} is no event of ${party}'s stream`;
      this.#complain(at, message, oneOfThese(event, known));
    }
    if (payload) checkMatcher(payload, payloadType(event), scope);
  }
}

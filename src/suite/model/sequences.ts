import type { CastName } from '../../spec/requirements/index.ts';
import type { Arbitrary } from 'fast-check';
import type { Random } from '../../random/random.ts';

/** Labels of a sequence's own orders and quotes, as "order 1" and "quote 2". Labels stay if other steps are removed. */
export type Label = string;

export type Maker = 'maker_a' | 'maker_b' | 'maker_c';

/** Requested validity of a quote. `beyond`: longer than its order lives. */
export type Validity = 'usual' | 'brief' | 'beyond';

/** One command of one party about one order. */
export type Command =
  | {
      readonly do: 'quote';
      readonly order: Label;
      readonly label: Label;
      readonly by: Maker;
      readonly rate: string;
      readonly validity: Validity;
    }
  | { readonly do: 'accept'; readonly order: Label; readonly quote: Label; readonly by: CastName }
  | { readonly do: 'cancel'; readonly order: Label; readonly by: CastName }
  | { readonly do: 'accept the proposal'; readonly order: Label; readonly by: CastName }
  | { readonly do: 'read'; readonly order: Label; readonly by: CastName }
  | { readonly do: 'list the quotes'; readonly order: Label; readonly by: CastName };

export type Step =
  | Command
  | {
      readonly do: 'create';
      readonly label: Label;
      readonly by: 'sender' | 'outsider';
      /** `tight`: less than rate "1" costs. */
      readonly maximum: 'ample' | 'tight';
    }
  | { readonly do: 'list orders'; readonly by: CastName }
  | { readonly do: 'list requests'; readonly by: Maker }
  | { readonly do: 'wait'; readonly ms: number }
  /** Waits until `leadMs` before a quote's deadline; a negative lead is past it. */
  | { readonly do: 'await the deadline'; readonly quote: Label; readonly leadMs: number }
  /** Sent at once. */
  | { readonly do: 'at once'; readonly commands: readonly Command[] };

const plain: readonly Step['do'][] = [
  'create',
  'list orders',
  'list requests',
  'wait',
  'await the deadline',
  'at once',
];
export const isCommand = (step: Step): step is Command => !plain.includes(step.do);

/** A sequence of steps. Steps about a missing thing (such as a refused quote) do nothing. */
export type Sequence = readonly Step[];

/** fast-check is imported when sequences are drawn: it is larger than all the rest of the suite. */
type FastCheck = typeof import('fast-check');

/** Ingredients of a sequence. Each profile leaves out many, so that the others meet often. */
export interface Profile {
  /** Steps after the first order and its quotes. */
  readonly steps: number;
  readonly orders: number;
  /** State of the first order when the steps begin. */
  readonly opening: 'quoted' | 'accepted';
  readonly makers: readonly Maker[];
  readonly validities: readonly Validity[];
  readonly creators?: readonly ('sender' | 'outsider')[];
  /** Parties that try to accept and to cancel. The model knows if they may. */
  readonly accepters: readonly CastName[];
  readonly cancellers: readonly CastName[];
  /** Relative frequency of each kind of step; a kind that is left out never occurs. */
  readonly weights: Readonly<Partial<Record<StepKind, number>>>;
}

export type StepKind =
  | 'create'
  | 'quote'
  | 'accept'
  | 'cancel'
  | 'propose'
  | 'look'
  | 'list'
  | 'wait'
  | 'deadline'
  | 'race';

/** Steps as drawn: orders and quotes are whole numbers, later mapped to existing ones. */
interface Drawn {
  readonly kind: StepKind;
  readonly order: number;
  readonly quote: number;
  readonly party: number;
  readonly rate: string;
  readonly validity: Validity;
  readonly tight: boolean;
  readonly ms: number;
  readonly leadMs: number;
  readonly others: readonly Rival[];
}

interface Rival {
  readonly kind: 'quote' | 'accept' | 'cancel' | 'look';
  readonly quote: number;
  readonly party: number;
}

/** Some have many decimals, so that rounding shows. None costs more than a maximum of twice the amount. */
const rates = ['1', '1', '1.0837465', '0.91234567', '1.5', '0.75'] as const;

/** Waits within a sequence, in milliseconds. `play` bounds their sum. */
const waitsMs = [40, 250, 900, 2_200] as const;
const leadsMs = [600, 40, -60, -900] as const;

const drawn = (fc: FastCheck, { weights, validities }: Profile): Arbitrary<Drawn> => {
  const rival = fc.record({
    kind: fc.constantFrom<Rival['kind'][]>(
      'accept',
      'accept',
      'accept',
      'cancel',
      'cancel',
      'quote',
      'look',
    ),
    quote: fc.nat(1),
    party: fc.nat(11),
  });
  const kinds = Object.entries(weights) as [StepKind, number][];
  return fc.record({
    kind: fc.oneof(...kinds.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) }))),
    order: fc.nat(11),
    quote: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4),
    party: fc.nat(11),
    rate: fc.constantFrom(...rates),
    validity: fc.constantFrom(...validities),
    tight: fc.nat(7).map((drawnTight) => drawnTight === 0),
    ms: fc.constantFrom(...waitsMs),
    leadMs: fc.constantFrom(...leadsMs),
    others: fc.array(rival, { minLength: 1, maxLength: 2 }),
  });
};

interface Known {
  readonly orders: Label[];
  readonly owners: Map<Label, CastName>;
  readonly quotes: Map<Label, Label[]>;
  count: number;
}

const lookers: readonly CastName[] = [
  'sender',
  'sender_custodian',
  'receiver_custodian',
  'outsider',
  'outsider_custodian',
];

const at = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;

/** Gives the orders and quotes of drawn steps their labels. */
function labelled(steps: readonly Drawn[], profile: Profile): Sequence {
  const known: Known = { orders: [], owners: new Map(), quotes: new Map(), count: 0 };

  const quote = (order: Label, number: number, { rate, validity }: Drawn): Command => {
    known.count += 1;
    const label = `quote ${known.count}`;
    known.quotes.get(order)?.push(label);
    return { do: 'quote', order, label, by: at(profile.makers, number), rate, validity };
  };
  const accept = (order: Label, number: number, party: number): Command[] => {
    const quotes = known.quotes.get(order) ?? [];
    if (quotes.length === 0) return [];
    // Counted from the newest: an older one may have been replaced by its maker (gap `quote.twice`).
    const quote = at(quotes.toReversed(), number);
    return [{ do: 'accept', order, quote, by: at(profile.accepters, party) }];
  };
  const byWhoMay = (order: Label, number: number, party: number): Command[] => {
    const by = party % 2 === 0 ? 'sender_custodian' : (known.owners.get(order) ?? 'sender');
    return accept(order, number, 0).map((command) =>
      command.do === 'accept' ? { ...command, by } : command,
    );
  };
  const look = (order: Label, number: number, by: CastName): Command =>
    number % 2 === 0 ? { do: 'read', order, by } : { do: 'list the quotes', order, by };
  const rival = (order: Label, one: Rival, from: Drawn): Command[] => {
    // Most often another quote: two acceptances of the same one may both succeed.
    if (one.kind === 'accept') return accept(order, from.quote + 1 + one.quote, one.party);
    if (one.kind === 'quote') return [quote(order, one.party, from)];
    if (one.kind === 'cancel') {
      return [{ do: 'cancel', order, by: at(profile.cancellers, one.party) }];
    }
    return [look(order, one.quote, at(lookers, one.party))];
  };
  const create = (by: 'sender' | 'outsider', maximum: 'ample' | 'tight'): Step => {
    const label = `order ${known.orders.length + 1}`;
    known.orders.push(label);
    known.owners.set(label, by);
    known.quotes.set(label, []);
    return { do: 'create', label, by, maximum };
  };

  const commandsOf = (step: Drawn): Step[] => {
    const order = at(known.orders, step.order);
    const { party } = step;
    switch (step.kind) {
      case 'create': {
        if (known.orders.length >= profile.orders) return [look(order, step.quote, 'sender')];
        const by = at(profile.creators ?? (['sender'] as const), party);
        return [create(by, step.tight ? 'tight' : 'ample')];
      }
      case 'quote':
        return [quote(order, party, step)];
      case 'accept':
        return accept(order, step.quote, party);
      case 'cancel':
        return [{ do: 'cancel', order, by: at(profile.cancellers, party) }];
      case 'propose':
        return [{ do: 'accept the proposal', order, by: at(lookers, party) }];
      case 'look':
        return [look(order, step.quote, at([...lookers, ...profile.makers], party))];
      case 'list':
        return party % 2 === 0
          ? [{ do: 'list orders', by: at(lookers, party) }]
          : [{ do: 'list requests', by: at(profile.makers, party) }];
      case 'wait':
        // A read follows each wait: only a state that was seen can be compared with later ones.
        return [
          { do: 'wait', ms: step.ms },
          { do: 'read', order, by: at(lookers, party % 3) },
        ];
      case 'deadline': {
        const quotes = known.quotes.get(order) ?? [];
        const deadline = { do: 'await the deadline', leadMs: step.leadMs } as const;
        return quotes.length === 0 ? [] : [{ ...deadline, quote: at(quotes, step.quote) }];
      }
      case 'race': {
        const first = accept(order, step.quote, party);
        const others = step.others.flatMap((one) => rival(order, one, step));
        return [{ do: 'at once', commands: [...first, ...others] }];
      }
    }
  };

  const [opening, ...rest] = steps;
  if (!opening) return [];
  const created = create('sender', 'ample');
  const quotes = profile.makers
    .slice(0, 1 + (opening.party % 2))
    .map((_, index) => quote('order 1', index, opening));
  const accepted =
    profile.opening === 'accepted' ? byWhoMay('order 1', opening.quote, opening.order) : [];
  const middle = rest.flatMap(commandsOf);
  // At the end, each order that is still open gets an acceptance; then it settles.
  const closing = known.orders.flatMap((order, index) => {
    const { quote: number, party } = at(steps, index + opening.quote);
    return byWhoMay(order, number, party);
  });
  return [created, ...quotes, ...accepted, ...middle, ...closing];
}

/** Draws sequences; deterministic for a stream of draws. */
export async function sequencesOf(
  profile: Profile,
  random: Random,
  count: number,
): Promise<readonly Sequence[]> {
  const fc = await import('fast-check');
  const length = profile.steps + 1;
  // Without a size, fast-check draws only a handful of steps, for any maximum length.
  const steps = fc.array(drawn(fc, profile), { minLength: length, maxLength: length, size: 'max' });
  const drawnSteps = fc.sample(steps, { seed: random.below(2 ** 31), numRuns: count });
  return drawnSteps.map((one) => labelled(one, profile));
}

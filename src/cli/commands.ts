import { InvalidArgumentError } from 'commander';
import { durationForm, parseDuration } from '../yaml/duration.ts';
import type { RequiredCoverage } from '../results/coverage.ts';
import { profileNames } from '../run/profiles.ts';
import { parseSeed } from '../random/seed.ts';
import { parseTimestamp } from '../spec/forms.ts';
import type { CommandSpec, OptionSpec } from './command.ts';
import type { Shard } from '../suite/engine/plan.ts';
import { freshSeed } from './fresh-seed.ts';

/** Readers of option values; the library reports what they throw, with the option's name in front. */

function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError(`Expected ${durationForm}.`);
  return ms;
}

function positive(text: string): number {
  const value = Number(text);
  if (/^\d{1,7}$/.test(text) && value > 0) return value;
  throw new InvalidArgumentError('Expected a whole number above zero.');
}

function port(text: string): number {
  const value = Number(text);
  if (/^\d{1,5}$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError('Expected a port, 0 to 65535; 0 takes a free one.');
}

/** A seed of 64 bits, or the word `random` for any. */
function seed(text: string): bigint {
  const value = text === 'random' ? freshSeed() : parseSeed(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError('Expected digits, 0x and hexadecimal digits, or "random".');
}

/** A moment, as a timestamp of the interface or in milliseconds since the epoch. */
function moment(text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : parseTimestamp(text);
  if (value !== undefined) return value;
  throw new InvalidArgumentError('Expected a timestamp such as 2030-01-01T00:00:00.000Z.');
}

/** How much must have been judged: `80%`, or `full`. */
function coverage(text: string): RequiredCoverage {
  const percent = Number(/^(\d{1,3})%$/.exec(text)?.[1]);
  if (percent > 0 && percent <= 100) return { kind: 'percent', percent };
  if (text === 'full') return { kind: 'full' };
  throw new InvalidArgumentError('Expected 1% to 100%, or "full".');
}

/** One part of the checks: `2/4` is every fourth of them, from the second on. */
function shard(text: string): Shard {
  const [, index = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= of) return { of, from: index - 1, to: index };
  throw new InvalidArgumentError('Expected a part and how many there are: 1/4, 2/4, ...');
}

const collect = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  text,
];

const baseUrlOption: OptionSpec = {
  flags: '--base-url <url>',
  description: 'a party to reach, as NAME=URL or a bare URL; may be given several times',
  read: collect,
};

const targetOptions: readonly OptionSpec[] = [
  { flags: '--target <file>', description: 'target file; without one, the embedded reference' },
  baseUrlOption,
];

const rateOption: OptionSpec = {
  flags: '--rate <n>',
  description: 'most requests a second (default: 100 on a system clock)',
  read: positive,
};

const seedOption: OptionSpec = {
  flags: '--seed <n>',
  description: 'seed of everything that is drawn, or "random"',
  read: seed,
  // Fixed, so that a run without a word about seeds can be repeated.
  default: 1n,
};

const waiversOption: OptionSpec = {
  flags: '--waivers <file>',
  description: 'known failures, each with its reason (docs/waivers.md)',
};

const baselineOption: OptionSpec = {
  flags: '--baseline <report.json>',
  description: 'an earlier run: only what is new since then fails',
};

const checkOptions: readonly OptionSpec[] = [
  ...targetOptions,
  {
    flags: '--only <pattern>',
    description: 'checks by id, requirement, part or party; * stands for anything; repeatable',
    read: collect,
  },
  {
    flags: '--checks <file>',
    description: 'an ES module with checks and rules of your own; repeatable',
    read: collect,
  },
  {
    flags: '--profile <name>',
    description: 'how much to judge: smoke takes at most 15 s, standard no wait over a minute',
    choices: profileNames,
  },
  {
    flags: '--shard <i/n>',
    description: 'one part of the checks, such as 2/4; assay report --merge joins them',
    read: shard,
  },
  { flags: '--out <dir>', description: 'where the reports go (default: reports)' },
  { flags: '--max-wait <duration>', description: 'the longest a check may wait', read: duration },
  { flags: '--concurrency <n>', description: 'most calls in flight at once', read: positive },
  rateOption,
  seedOption,
  waiversOption,
  baselineOption,
  { flags: '--json', description: 'print report.json instead of text' },
  {
    flags: '--events <file>',
    description: 'tell there what happens while it runs, as NDJSON; - is standard output',
  },
  { flags: '--strict', description: 'exit 3 unless everything was exercised and proven' },
  {
    flags: '--require-coverage <share>',
    description: 'exit 3 unless so much was judged: 80% of the checks, or "full"',
    read: coverage,
  },
  { flags: '--dry-run', description: 'show what would run and how long it would take' },
  { flags: '--mutation <id>', description: 'break the embedded reference on purpose' },
];

const queueOption: OptionSpec = {
  flags: '--queue <url>',
  description: 'PostgreSQL that hands out the worlds, as postgres://USER@HOST/DATABASE',
};

const jsonOption: OptionSpec = { flags: '--json', description: 'print the result as JSON' };

const waitOption: OptionSpec = {
  flags: '--wait',
  description: 'until every world was played, then show what came of it',
};

const campaignOutOption: OptionSpec = {
  flags: '--out <dir>',
  description: 'write simulation.json there, for assay report',
};

/** Of `assay simulate`, for worlds that other machines play. */
const campaignOptions: readonly OptionSpec[] = [
  queueOption,
  { flags: '--campaign <name>', description: 'its name (default: one that is drawn)' },
  { flags: '--chunk <n>', description: 'worlds that a worker takes at a time', read: positive },
  {
    flags: '--lease <duration>',
    description: 'after so long without a sign of its worker a range goes to another (default: 1m)',
    read: duration,
  },
  waitOption,
];

/** Every subcommand, in the order of the help. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'check',
    summary: 'judge a backend against every requirement of the interface',
    options: checkOptions,
    examples: [
      'assay check',
      'assay check --target acme.yaml --only "order.*"',
      'assay check --target acme.yaml --profile smoke',
      'assay check --target acme.yaml --require-coverage 80%',
      'assay check --target acme.yaml --checks own-checks.mjs',
      'assay check --target acme.yaml --shard 2/4 --out part-2',
      'assay check --base-url sender=http://127.0.0.1:9000/bank-a --base-url maker_a=http://127.0.0.1:9000/mm-1',
    ],
    run: async (input) => (await import('./check/command.ts')).check(input),
  },
  {
    name: 'probe',
    summary: 'reach every party and find how it answers what the document leaves open',
    options: [
      ...targetOptions,
      { flags: '--write', description: 'write what was found into the target file' },
      jsonOption,
      seedOption,
    ],
    examples: ['assay probe --target acme.yaml', 'assay probe --target acme.yaml --write'],
    run: async (input) => (await import('./probe.ts')).probe(input),
  },
  {
    name: 'play',
    summary: 'play scenarios, timed flows of several parties written in YAML',
    argument: ['<scenario...>', 'files, folders or patterns'],
    options: [
      ...targetOptions,
      {
        flags: '--tag <tag>',
        description: 'only scenarios with this tag; repeatable',
        read: collect,
      },
      {
        flags: '--max-wait <duration>',
        description: 'the longest a step may wait',
        read: duration,
      },
      {
        flags: '--concurrency <n>',
        description: 'scenarios at once on a target (default: 16)',
        read: positive,
      },
      rateOption,
      { flags: '--out <dir>', description: 'write the run report there, timelines in it' },
      { flags: '--json', description: 'print report.json instead of text' },
      { flags: '--watch', description: 'play again whenever a file changes' },
      seedOption,
      { flags: '--strict', description: 'exit 3 unless every scenario was played and decided' },
      { flags: '--dry-run', description: 'show who takes part, what waits and what is verified' },
      { flags: '--mutation <id>', description: 'break the embedded reference on purpose' },
    ],
    examples: [
      'assay play scenarios',
      'assay play scenarios/happy/institution.yaml --seed 7',
      'assay play scenarios --target acme.yaml',
    ],
    run: async (input) => (await import('./play/command.ts')).playCommand(input),
  },
  {
    name: 'simulate',
    summary: 'play whole worlds, each drawn from a seed, and look for what nobody thought of',
    options: [
      { flags: '--seeds <n>', description: 'how many worlds (default: 200)', read: positive },
      { flags: '--seed <n>', description: 'one world, told step by step', read: seed },
      { flags: '--plan <file>', description: 'one world from a plan that was written' },
      {
        flags: '--from <seed>',
        description: 'the first seed, or "random" (default: 1)',
        read: seed,
      },
      { flags: '--faults <list>', description: 'faults that may strike, with commas; or "none"' },
      { flags: '--steps <n>', description: 'about how many steps a world has', read: positive },
      { flags: '--mutation <id>', description: 'break the embedded reference on purpose' },
      {
        flags: '--target <file>',
        description: 'play on this backend, without faults of its inside (default: 50 worlds)',
      },
      {
        flags: '--depth <depth>',
        description: 'what plays: core, process or http (default: process)',
        choices: ['core', 'process', 'http'],
      },
      {
        flags: '--workers <n>',
        description: 'threads (default: as many as processors)',
        read: positive,
      },
      { flags: '--shard <i/n>', description: 'one part of the seeds, such as 2/4' },
      { flags: '--until <duration>', description: 'begin no world after that', read: duration },
      {
        flags: '--nightly',
        description: 'exit 1 where a situation of the catalogue never came about',
      },
      { flags: '--no-shrink', description: 'leave failing worlds as large as they are' },
      {
        flags: '--out <dir>',
        description:
          'where simulation.json, plans and scenarios go (default: reports, once something is found)',
      },
      { flags: '--json', description: 'print the summary as JSON' },
      ...campaignOptions,
    ],
    examples: [
      'assay simulate --seeds 1000',
      'assay simulate --seed 0x2a',
      'assay simulate --plan reports/plan-0x000000000000002a.json',
      'assay simulate --until 10m --faults none --out reports',
      'assay simulate --queue postgres://assay@127.0.0.1/assay --seeds 10000 --campaign nightly --wait',
      'assay simulate --target acme.yaml --seeds 20 --out reports',
    ],
    run: async (input) => (await import('./simulate/command.ts')).simulate(input),
  },
  {
    name: 'worker',
    summary: 'play worlds of campaigns that a queue hands out, on any number of machines',
    options: [
      queueOption,
      {
        flags: '--workers <n>',
        description: 'ranges at a time (default: as many as processors)',
        read: positive,
      },
      { flags: '--until <duration>', description: 'take no range after that', read: duration },
      { flags: '--drain', description: 'end once no range is left' },
    ],
    examples: [
      'assay worker --queue postgres://assay@127.0.0.1/assay',
      'assay worker --queue postgres://assay@127.0.0.1/assay --workers 4 --drain',
    ],
    run: async (input) => (await import('./worker.ts')).worker(input),
  },
  {
    name: 'campaign',
    summary: 'show what came of a campaign; without a name, which there are',
    argument: ['[name]', 'the campaign'],
    options: [queueOption, waitOption, campaignOutOption, jsonOption],
    examples: [
      'assay campaign --queue postgres://assay@127.0.0.1/assay',
      'assay campaign nightly --queue postgres://assay@127.0.0.1/assay --wait --out reports',
    ],
    run: async (input) => (await import('./campaign/show.ts')).campaign(input),
  },
  {
    name: 'serve',
    summary: 'run the reference backend, all eight parties of the cast on one port',
    options: [
      { flags: '--port <n>', description: 'port; 0 takes a free one (default: 9000)', read: port },
      { flags: '--host <address>', description: 'address to listen on (default: 127.0.0.1)' },
      {
        flags: '--clock <kind>',
        description: 'system, or virtual: time moves when told to (default: system)',
        choices: ['system', 'virtual'],
      },
      { flags: '--gaps <file>', description: 'answers to gaps other than the usual ones' },
      { flags: '--mutation <id>', description: 'break one requirement on purpose' },
      {
        flags: '--journal <dir>',
        description: 'keep all that happens there, and go on from it after a restart',
      },
      { flags: '--write-target <file>', description: 'write a target file for this server' },
      { flags: '--ui', description: 'serve the cockpit as well: a page that drives it' },
      {
        flags: '--seed <n>',
        description: 'seed of its parties, ids and keys (default: another one each time)',
        read: seed,
      },
      { flags: '--json', description: 'print where everything is as JSON, once it is there' },
    ],
    examples: [
      'assay serve',
      'assay serve --clock virtual --write-target reference.yaml',
      'assay serve --ui',
    ],
    run: async (input) => (await import('./serve.ts')).serve(input),
  },
  {
    name: 'cockpit',
    summary: 'a page that drives a target: act as any party, move time, go back, watch it judged',
    options: [
      {
        flags: '--target <file>',
        description: 'target file of a backend (default: a reference of its own)',
      },
      { flags: '--port <n>', description: 'port of the page (default: a free one)', read: port },
      { flags: '--host <address>', description: 'address to listen on (default: 127.0.0.1)' },
      { flags: '--open <file>', description: 'walk through a scenario, a history.jsonl or a HAR' },
      { flags: '--world <seed>', description: 'walk through a world of `assay simulate`' },
      { flags: '--gaps <file>', description: "the reference's answers to gaps" },
      { flags: '--mutation <id>', description: 'break one requirement of the reference' },
      {
        flags: '--seed <n>',
        description: "seed of the reference's ids (default: another one each time)",
        read: seed,
      },
      { flags: '--json', description: 'print where everything is as JSON, once it is there' },
    ],
    examples: [
      'assay cockpit',
      'assay cockpit --target acme.yaml',
      'assay cockpit --open scenarios/happy/custodian.yaml',
      'assay cockpit --world 3 --mutation rate-as-number-when-settled',
    ],
    run: async (input) => (await import('./cockpit/command.ts')).cockpit(input),
  },
  {
    name: 'proxy',
    summary: 'stand between clients and backends, change nothing, and judge what passes',
    options: [
      { flags: '--target <file>', description: 'target file: the backends, their answers to gaps' },
      {
        flags: '--port <n>',
        description: 'the first port, one for each party; 0 takes free ones (default: 9100)',
        read: port,
      },
      { flags: '--host <address>', description: 'address to listen on (default: 127.0.0.1)' },
      {
        flags: '--write-target <file>',
        description: "write the target file with the proxy's addresses in it",
      },
      { flags: '--out <dir>', description: 'write the session there: reports, history, scenario' },
      { flags: '--json', description: 'print events as NDJSON instead of text' },
    ],
    examples: [
      'assay proxy --target acme.yaml',
      'assay proxy --target acme.yaml --write-target through-proxy.yaml --out session',
    ],
    run: async (input) => (await import('./proxy/command.ts')).proxy(input),
  },
  {
    name: 'replay',
    summary: 'run one check alone, by its id; or tell what a journal holds',
    argument: ['[check-id]', 'the check, as a report names it'],
    options: [
      ...checkOptions.filter(
        ({ flags }) => !/^--(only|shard|events|json|dry-run|profile|require-coverage)/.test(flags),
      ),
      {
        flags: '--explain',
        description: 'print each exchange and event as it happens, with bodies',
      },
      {
        flags: '--export <format>',
        description: 'write what shows the failure again: sh (curl and jq) or scenario',
        choices: ['sh', 'scenario'],
      },
      {
        flags: '--to <file>',
        description: 'where the export goes (default: CHECK.sh, CHECK.yaml)',
      },
      { flags: '--requirement <id>', description: 'which failure to export, if there are several' },
      { flags: '--journal <dir>', description: 'rebuild the state of a served reference instead' },
      {
        flags: '--at <time>',
        description: 'with --journal: as of this moment (default: the last)',
        read: moment,
      },
      { flags: '--judge', description: 'with --journal: let it happen again, and judge it' },
      { flags: '--json', description: 'with --journal: the state whole, as JSON' },
    ],
    examples: [
      'assay replay order.cancel.pending --target acme.yaml --explain',
      'assay replay order.cancel.pending --target acme.yaml --export sh',
      'assay replay order.cancel.pending --seed 7',
      'assay replay --journal journal --at 2030-01-01T00:00:05.000Z --judge',
    ],
    run: async (input) => (await import('./replay/command.ts')).replay(input),
  },
  {
    name: 'audit',
    summary: 'judge recorded traffic by every rule, without reaching anybody',
    argument: ['<recording...>', 'HAR files of browsers or proxies, or the history.jsonl of a run'],
    options: [
      {
        flags: '--target <file>',
        description: 'target file: names the parties, and their answers to gaps',
      },
      {
        flags: '--base-url <url>',
        description: 'a party of the recording, as NAME=URL; repeatable',
        read: collect,
      },
      {
        flags: '--report <report.json>',
        description: 'of the run that recorded it (default: the one beside it)',
      },
      { flags: '--out <dir>', description: 'write the reports there' },
      { flags: '--json', description: 'print report.json instead of text' },
      waiversOption,
      baselineOption,
      { flags: '--strict', description: 'exit 3 unless everything was exercised and proven' },
    ],
    examples: [
      'assay audit traffic.har',
      'assay audit traffic.har --base-url sender=https://fx.example/bank-a',
      'assay audit reports/history.jsonl',
    ],
    run: async (input) => (await import('./audit.ts')).audit(input),
  },
  {
    name: 'compare',
    summary: 'hold two targets against each other: what clients that meet both must know',
    argument: ['<target...>', 'two of: a target file, a report.json, or the word reference'],
    options: [
      {
        flags: '--profile <name>',
        description: 'how much of the suite judges a target file (default: the checks of smoke)',
        choices: profileNames,
      },
      { flags: '--markdown <file>', description: 'write it as a table in Markdown as well' },
      { flags: '--json', description: 'print it as JSON' },
      seedOption,
    ],
    examples: [
      'assay compare acme.yaml reference',
      'assay compare staging.yaml production/report.json --markdown risks.md',
    ],
    run: async (input) => (await import('./compare.ts')).compare(input),
  },
  {
    name: 'report',
    summary: 'turn report.json into other formats, merge several, or compare two',
    argument: ['<run.json...>', 'one or more report.json, or simulation.json'],
    options: [
      {
        flags: '--format <list>',
        description:
          'text, json, junit, ctrf, markdown, html, badge or github, with commas (default: text)',
      },
      { flags: '--out <dir>', description: 'write files there instead of to the terminal' },
      { flags: '--merge', description: 'one report out of the several given' },
      { flags: '--diff <base.json>', description: 'what changed since another run' },
      waiversOption,
      baselineOption,
    ],
    examples: [
      'assay report reports/report.json --format html,junit --out site',
      'assay report monday/report.json tuesday/report.json --format html --out site',
      'assay report one/report.json two/report.json --merge --baseline main.json',
      'assay report reports/report.json --diff main.json',
      'assay report monday/simulation.json tuesday/simulation.json',
    ],
    run: async (input) => (await import('./report.ts')).report(input),
  },
  {
    name: 'spec',
    summary: 'print what the suite knows of the interface',
    argument: [
      '<what>',
      'requirements, gaps, openapi, asyncapi or schemas; or the id of a requirement, for all about it',
    ],
    words: ['requirements', 'gaps', 'openapi', 'asyncapi', 'schemas'],
    options: [{ flags: '--json', description: 'as JSON, where the usual form is text' }],
    examples: [
      'assay spec order.cancel.executing-refused',
      'assay spec requirements',
      'assay spec openapi > openapi.json',
    ],
    run: async (input) => (await import('./spec.ts')).spec(input),
  },
  {
    name: 'init',
    summary: 'try the backends at some addresses, and write a commented target file of them',
    options: [
      baseUrlOption,
      { flags: '--name <text>', description: 'what reports call the target (default: its host)' },
      {
        flags: '--max-wait <duration>',
        description: 'the longest a check may wait (default: 90s)',
        read: duration,
      },
      { flags: '--out <file>', description: 'the file to write (default: target.yaml)' },
      { flags: '--json', description: 'print what each party answered as JSON' },
    ],
    examples: [
      'assay init',
      'assay init --base-url http://127.0.0.1:9000/bank-a --base-url http://127.0.0.1:9000/mm-1',
    ],
    run: async (input) => (await import('./init.ts')).init(input),
  },
  {
    name: 'completion',
    summary: 'print a script by which your shell completes command lines of assay',
    argument: ['<shell>', 'bash, zsh or fish'],
    words: ['bash', 'zsh', 'fish'],
    options: [],
    examples: ['assay completion bash > ~/.local/share/bash-completion/completions/assay'],
    run: async (input) => (await import('./completion/command.ts')).completion(input, commands),
  },
];

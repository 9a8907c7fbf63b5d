import { profileNames } from '../../run/profiles.ts';
import type { CommandSpec } from '../command.ts';
import { type OptionRows, optionsOf, shard, usual } from './options.ts';

const checkOptions: OptionRows = {
  ...usual('--target', '--base-url'),
  '--only <pattern>': 'checks by id, requirement, part or party; * stands for anything; repeatable',
  ...usual('--only-failed'),
  '--checks <file>': 'an ES module with checks and rules of your own; repeatable',
  '--profile <name>': {
    description: 'how much to judge: smoke takes at most 15 s, standard no wait over a minute',
    choices: profileNames,
  },
  '--shard <i/n>': {
    description: 'one part of the checks, such as 2/4; assay report --merge joins them',
    read: shard,
  },
  '--out <dir>': 'where the reports go (default: reports)',
  '--max-wait <duration>': 'the longest a check may wait',
  '--concurrency <n>': 'most calls in flight at once',
  ...usual('--rate', '--seed', '--run-id', '--waivers', '--baseline', '--json'),
  '--events <file>': 'tell there what happens while it runs, as NDJSON; - is standard output',
  ...usual('--strict', '--require-coverage'),
  '--dry-run': 'show what would run and how long it would take',
  ...usual('--mutation'),
};

const notInReplay =
  /^--(only|only-failed|shard|events|json|dry-run|profile|require-coverage)(?: |$)/;

const each: readonly (Omit<CommandSpec, 'options'> & { readonly options: OptionRows })[] = [
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
    run: async (input) => (await import('../check/command.ts')).check(input),
  },
  {
    name: 'probe',
    summary: 'reach every party and find how it answers what the document leaves open',
    options: {
      ...usual('--target', '--base-url'),
      '--write': 'write what was found into the target file',
      '--json': 'print the result as JSON',
      ...usual('--seed', '--run-id'),
    },
    examples: ['assay probe --target acme.yaml', 'assay probe --target acme.yaml --write'],
    run: async (input) => (await import('../probe.ts')).probe(input),
  },
  {
    name: 'play',
    summary: 'play scenarios, timed flows of several parties written in YAML',
    argument: ['<scenario...>', 'files, folders or patterns; - is standard input'],
    options: {
      ...usual('--target', '--base-url'),
      '--tag <tag>': 'only scenarios with this tag; repeatable',
      '--set <name=value>': 'another value than the default under `values`; repeatable',
      ...usual('--checks', '--only-failed', '--waivers'),
      '--max-wait <duration>': 'the longest a step may wait',
      '--concurrency <n>': 'scenarios at once on a target (default: 16)',
      ...usual('--rate'),
      '--out <dir>': 'write the run report there, timelines in it',
      ...usual('--json'),
      '--watch': 'play again whenever a file changes',
      ...usual('--seed', '--run-id'),
      '--strict': 'exit 3 unless every scenario was played and decided',
      '--dry-run': 'show who takes part, what waits and what is verified',
      ...usual('--mutation'),
    },
    examples: [
      'assay play scenarios',
      'assay play scenarios/happy/institution.yaml --seed 7',
      'assay play scenarios --target acme.yaml',
      'assay play flow.yaml --set amount=12.50',
      'assay play - --json < flow.yaml',
    ],
    run: async (input) => (await import('../play/command.ts')).playCommand(input),
  },
  {
    name: 'simulate',
    summary: 'play whole worlds, each drawn from a seed, and look for what nobody thought of',
    options: {
      '--seeds <n>': 'how many worlds (default: 200)',
      '--seed <n>': 'one world, told step by step',
      '--plan <file>': 'one world from a plan that was written',
      '--from <seed>': 'the first seed, or "random" (default: 1)',
      '--faults <list>': 'faults that may strike, with commas; or "none"',
      '--steps <n>': 'about how many steps a world has',
      ...usual('--checks', '--mutation'),
      '--target <file>': 'play on this backend, without faults of its inside (default: 50 worlds)',
      ...usual('--run-id'),
      '--depth <depth>': {
        description: 'what plays: core, process or http (default: process)',
        choices: ['core', 'process', 'http'],
      },
      '--workers <n>': 'threads (default: as many as processors)',
      '--shard <i/n>': 'one part of the seeds, such as 2/4',
      '--until <duration>': 'begin no world after that',
      '--nightly': 'exit 3 if a situation of the catalogue never came about',
      '--no-shrink': 'leave failing worlds as large as they are',
      '--out <dir>':
        'where simulation.json, plans and scenarios go (default: reports, once something is found)',
      '--json': 'print the summary as JSON',
      ...usual('--queue'),
      '--campaign <name>': 'its name (default: one that is drawn)',
      '--chunk <n>': 'worlds that a worker takes at a time',
      '--lease <duration>':
        'after so long without a sign of its worker a range goes to another (default: 1m)',
      ...usual('--wait'),
    },
    examples: [
      'assay simulate --seeds 1000',
      'assay simulate --seed 0x2a',
      'assay simulate --plan reports/plan-0x000000000000002a.json',
      'assay simulate --until 10m --faults none --out reports',
      'assay simulate --queue postgres://assay@127.0.0.1/assay --seeds 10000 --campaign nightly --wait',
      'assay simulate --target acme.yaml --seeds 20 --out reports',
    ],
    run: async (input) => (await import('../simulate/command.ts')).simulate(input),
  },
  {
    name: 'worker',
    summary: 'play worlds of campaigns that a queue hands out, on any number of machines',
    options: {
      ...usual('--queue'),
      '--workers <n>': 'ranges at a time (default: as many as processors)',
      '--until <duration>': 'take no range after that',
      '--drain': 'end once no range is left',
    },
    examples: [
      'assay worker --queue postgres://assay@127.0.0.1/assay',
      'assay worker --queue postgres://assay@127.0.0.1/assay --workers 4 --drain',
    ],
    run: async (input) => (await import('../worker.ts')).worker(input),
  },
  {
    name: 'campaign',
    summary: 'show what came of a campaign; without a name, which there are',
    argument: ['[name]', 'the campaign'],
    options: {
      ...usual('--queue', '--wait'),
      '--out <dir>': 'write simulation.json there, for assay report',
      '--json': 'print the result as JSON',
    },
    examples: [
      'assay campaign --queue postgres://assay@127.0.0.1/assay',
      'assay campaign nightly --queue postgres://assay@127.0.0.1/assay --wait --out reports',
    ],
    run: async (input) => (await import('../campaign/show.ts')).campaign(input),
  },
  {
    name: 'serve',
    summary: 'run the reference backend, all eight parties of the cast on one port',
    options: {
      '--port <n>': 'port; 0 takes a free one (default: 9000)',
      ...usual('--host', '--allow-host'),
      '--clock <kind>': {
        description: 'system, or virtual: time moves when told to (default: system)',
        choices: ['system', 'virtual'],
      },
      '--gaps <file>': 'answers to gaps other than the usual ones',
      '--mutation <id>': 'break one requirement on purpose',
      '--journal <dir>': 'keep all that happens there, and go on from it after a restart',
      '--write-target <file>': 'write a target file for this server',
      '--ui': 'serve the cockpit as well: a page that drives it',
      '--seed <n>': 'seed of its parties, ids and keys (default: another one each time)',
      '--json': 'print where everything is as JSON, once it is there',
    },
    examples: [
      'assay serve',
      'assay serve --clock virtual --write-target reference.yaml',
      'assay serve --ui',
    ],
    run: async (input) => (await import('../serve.ts')).serve(input),
  },
  {
    name: 'cockpit',
    summary:
      'a page that drives the reference, or a target as far as it can be driven: act as any party, see each exchange judged',
    options: {
      '--target <file>': 'target file of a backend (default: a reference of its own)',
      '--port <n>': 'port of the page (default: a free one)',
      ...usual('--host', '--allow-host'),
      '--open <file>': 'walk through a scenario, a history.jsonl or a HAR',
      '--world <seed>': 'walk through a world of `assay simulate`',
      '--gaps <file>': "the reference's answers to gaps",
      '--mutation <id>': 'break one requirement of the reference',
      '--seed <n>': "seed of the reference's ids (default: another one each time)",
      '--json': 'print where everything is as JSON, once it is there',
    },
    examples: [
      'assay cockpit',
      'assay cockpit --target acme.yaml',
      'assay cockpit --open scenarios/happy/custodian.yaml',
      'assay cockpit --world 3 --mutation rate-as-number-when-settled',
    ],
    run: async (input) => (await import('../cockpit/command.ts')).cockpit(input),
  },
  {
    name: 'proxy',
    summary: 'stand between clients and backends, change nothing, and judge what passes',
    options: {
      '--target <file>': 'target file: the backends, their answers to gaps',
      '--port <n>': 'the first port, one for each party; 0 takes free ones (default: 9100)',
      ...usual('--host', '--allow-host', '--checks'),
      '--write-target <file>': "write the target file with the proxy's addresses in it",
      '--out <dir>': 'write the session there: reports, history, scenario',
      '--json': 'print events as NDJSON instead of text',
    },
    examples: [
      'assay proxy --target acme.yaml',
      'assay proxy --target acme.yaml --write-target through-proxy.yaml --out session',
    ],
    run: async (input) => (await import('../proxy/command.ts')).proxy(input),
  },
  {
    name: 'replay',
    summary: 'run one check alone, by its id; or tell what a journal holds',
    argument: ['[check-id]', 'the check, as a report names it'],
    options: {
      ...Object.fromEntries(
        Object.entries(checkOptions).filter(([flags]) => !notInReplay.test(flags)),
      ),
      '--explain': 'print each exchange and event as it happens, with bodies',
      '--export <format>': {
        description: 'write what shows the failure again: sh (curl and jq) or scenario',
        choices: ['sh', 'scenario'],
      },
      '--to <file>': 'where the export goes (default: CHECK.sh, CHECK.yaml)',
      '--requirement <id>': 'which failure to export, if there are several',
      '--journal <dir>': 'rebuild the state of a served reference instead',
      '--at <time>': 'with --journal: as of this moment (default: the last)',
      '--judge': 'with --journal: let it happen again, and judge it',
      '--json': 'with --journal: the state whole, as JSON',
    },
    examples: [
      'assay replay order.cancel.pending --target acme.yaml --explain',
      'assay replay order.cancel.pending --target acme.yaml --export sh',
      'assay replay order.cancel.pending --seed 7',
      'assay replay --journal journal --at 2030-01-01T00:00:05.000Z --judge',
    ],
    run: async (input) => (await import('../replay/command.ts')).replay(input),
  },
  {
    name: 'audit',
    summary: 'judge recorded traffic by every rule, without reaching anybody',
    argument: ['<recording...>', 'HAR files of browsers or proxies, or the history.jsonl of a run'],
    options: {
      '--target <file>': 'target file: names the parties, and their answers to gaps',
      '--base-url <url>': 'a party of the recording, as NAME=URL; repeatable',
      '--report <report.json>': 'of the run that recorded it (default: the one beside it)',
      '--out <dir>': 'write the reports there',
      ...usual('--json', '--checks', '--waivers', '--baseline', '--strict'),
    },
    examples: [
      'assay audit traffic.har',
      'assay audit traffic.har --base-url sender=https://fx.example/bank-a',
      'assay audit reports/history.jsonl',
    ],
    run: async (input) => (await import('../audit.ts')).audit(input),
  },
  {
    name: 'compare',
    summary: 'hold two targets against each other: what clients that meet both must know',
    argument: ['<target...>', 'two of: a target file, a report.json, or the word reference'],
    options: {
      '--profile <name>': {
        description: 'how much of the suite judges a target file (default: the checks of smoke)',
        choices: profileNames,
      },
      '--markdown <file>': 'write it as a table in Markdown as well',
      '--json': 'print it as JSON',
      ...usual('--seed'),
    },
    examples: [
      'assay compare acme.yaml reference',
      'assay compare staging.yaml production/report.json --markdown risks.md',
    ],
    run: async (input) => (await import('../compare.ts')).compare(input),
  },
  {
    name: 'report',
    summary: 'turn report.json into other formats, merge several, or compare two',
    argument: ['<run.json...>', 'one or more report.json, or simulation.json'],
    options: {
      '--format <list>':
        'text, json, junit, ctrf, markdown, html, badge, github or waivers, with commas (default: text)',
      '--out <dir>': 'write files there instead of to the terminal',
      '--har <file>': 'write the run as HAR 1.2, for `assay audit` or a browser',
      '--matrix': 'the targets of several reports side by side: markdown, html or json',
      '--merge': 'one report out of the several given',
      '--diff <base.json>': 'what changed since another run',
      ...usual('--waivers', '--baseline', '--require-coverage'),
    },
    examples: [
      'assay report reports/report.json --format html,junit --out site',
      'assay report monday/report.json tuesday/report.json --format html --out site',
      'assay report one/report.json two/report.json --merge --baseline main.json',
      'assay report reports/report.json --diff main.json',
      'assay report reports/report.json --har run.har',
      'assay report acme.json nova.json orbit.json --matrix --format html --out site',
      'assay report monday/simulation.json tuesday/simulation.json',
    ],
    run: async (input) => (await import('../report.ts')).report(input),
  },
  {
    name: 'spec',
    summary: 'print what the suite knows of the interface',
    argument: [
      '<what>',
      'requirements, gaps, openapi, asyncapi or schemas; or the id of a requirement, for all about it',
    ],
    words: ['requirements', 'gaps', 'openapi', 'asyncapi', 'schemas'],
    options: { '--json': 'as JSON, where the usual form is text' },
    examples: [
      'assay spec order.cancel.executing-refused',
      'assay spec requirements',
      'assay spec openapi > openapi.json',
    ],
    run: async (input) => (await import('../spec.ts')).spec(input),
  },
  {
    name: 'init',
    summary: 'try the backends at some addresses, and write a commented target file of them',
    options: {
      ...usual('--base-url'),
      '--network <file>':
        'a file with headers, tls and proxy as in a target file: the way to the addresses',
      '--name <text>': 'what reports call the target (default: its host)',
      '--max-wait <duration>': 'the longest a check may wait (default: 90s)',
      '--out <file>': 'the file to write (default: target.yaml)',
      '--json': 'print what each party answered as JSON',
    },
    examples: [
      'assay init',
      'assay init --base-url http://127.0.0.1:9000/bank-a --base-url http://127.0.0.1:9000/mm-1',
      'assay init --network bank.yaml --base-url https://fx.bank.example/bank-a',
    ],
    run: async (input) => (await import('../init.ts')).init(input),
  },
  {
    name: 'completion',
    summary: 'print a script by which your shell completes command lines of assay',
    argument: ['<shell>', 'bash, zsh or fish'],
    words: ['bash', 'zsh', 'fish'],
    options: {},
    examples: ['assay completion bash > ~/.local/share/bash-completion/completions/assay'],
    run: async (input) => (await import('../completion.ts')).completion(input, commands),
  },
];

/** Every subcommand, in the order of the help. */
export const commands: readonly CommandSpec[] = each.map((spec) => ({
  ...spec,
  options: optionsOf({
    ...spec.options,
    '--quiet': 'print nothing but errors, and what --json asks for',
    '--no-color': 'print without colours, as with NO_COLOR',
  }),
}));

import { Command, CommanderError, Option } from 'commander';
import {
  type CommandFailure,
  type CommandInput,
  type CommandSpec,
  exitCodeOf,
  type OptionSpec,
  usageFailure,
} from './command.ts';
import type { Flags } from './flags.ts';
import { commands } from './commands/index.ts';
import {
  asWanted,
  type BareTerminal,
  type ExitCode,
  type Terminal,
  withoutSecrets,
} from './terminal.ts';
import { thirdPartyNotices } from './ui-page.ts';
import { version } from '../run/version.ts';

const exitCodes = `
Exit codes: 0 nothing violated · 1 violated · 2 usage or configuration · 3 could not judge`;

/** Runs one command line; answers with its exit code and never throws. */
export async function runProgram(args: readonly string[], bare: BareTerminal): Promise<ExitCode> {
  const terminal = withoutSecrets(bare);
  let code: ExitCode = 0;
  const program = new Command('assay')
    .description('Judges backends of the Cross-Currency Settlement Service Interface.')
    .version(version, '-V, --version', 'print the version')
    .option('--licenses', 'print the licences of the packages that are bundled')
    .on('option:licenses', () => {
      terminal.out(thirdPartyNotices().trimEnd());
      throw new CommanderError(0, 'assay.licenses', 'printed');
    })
    .helpCommand('help [command]', 'print help of a command')
    .addHelpText('after', exitCodes);
  speakThrough(terminal, program, 'assay');
  for (const spec of commands)
    program.addCommand(commandOf(spec, terminal, (result) => (code = result)));
  try {
    if (args.length === 0) program.help();
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return internalFault(error, terminal);
  }
}

/** Lets a command print on the terminal, and throw where it would end the process. */
function speakThrough(terminal: Terminal, command: Command, name: string): void {
  command
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(`${text.trimEnd()}\nSee: ${name} --help`),
    });
}

function commandOf(
  spec: CommandSpec,
  terminal: Terminal,
  finish: (code: ExitCode) => ExitCode,
): Command {
  const command = new Command(spec.name)
    .description(spec.summary)
    .addHelpText('after', `\nExamples:\n${spec.examples.map((one) => `  $ ${one}`).join('\n')}`);
  speakThrough(terminal, command, `assay ${spec.name}`);
  if (spec.argument) command.argument(...spec.argument);
  else command.allowExcessArguments();
  for (const option of spec.options) command.addOption(optionOf(option));
  command.action(async () => {
    const words = command.args;
    const [first] = words;
    const flags = command.opts<Flags>();
    const input: CommandInput = { terminal: asWanted(terminal, flags), words, flags };
    const run = async (): Promise<ExitCode> => {
      if (first !== undefined && !spec.argument) throw strayWord(spec, first);
      return spec.run(input);
    };
    finish(await exitCodeOf(run, terminal));
  });
  return command;
}

/** A word after a command without an argument is usually the value of an option that is missing. */
function strayWord({ name, options }: CommandSpec, word: string): CommandFailure {
  const meant = /^([\w-]+=)?https?:/.test(word)
    ? '--base-url'
    : /\.ya?ml$/.test(word)
      ? '--target'
      : '--only';
  const isTaken = options.some(({ flags }) => flags.startsWith(`${meant} `));
  return usageFailure(
    `${name} does not take ${JSON.stringify(word)} by itself`,
    isTaken ? `did you mean ${meant} ${word}?` : `options: assay ${name} --help`,
  );
}

function optionOf({ flags, description, read, choices, default: usual }: OptionSpec): Option {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (usual !== undefined) option.default(usual, String(usual));
  if (read) option.argParser(read as (text: string) => unknown);
  return option;
}

/** Report of our own bug: short for the user, complete for the developer. */
export function internalFault(error: unknown, terminal: Pick<Terminal, 'err' | 'env'>): ExitCode {
  const message = error instanceof Error ? error.message : String(error);
  terminal.err(`assay: internal error: ${message.split('\n')[0] ?? ''}`);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  if (terminal.env['ASSAY_DEBUG']) terminal.err(stack);
  else terminal.err('This is a fault of assay, not of the target. ASSAY_DEBUG=1 shows where.');
  return 3;
}

import { Command, CommanderError, Option } from 'commander';
import { type CommandInput, type CommandSpec, exitCodeOf, type OptionSpec } from './command.ts';
import { commands } from './commands.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { version } from '../run/version.ts';

const exitCodes = `
Exit codes: 0 nothing violated · 1 violated · 2 usage or configuration · 3 could not judge`;

/** Runs one command line; answers with its exit code and never throws. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = new Command('assay')
    .description('Judges backends of the Cross-Currency Settlement Service Interface.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help of a command')
    .addHelpText('after', exitCodes)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
    });
  for (const spec of commands) {
    program.addCommand(
      commandOf(spec, terminal, (result) => {
        code = result;
      }),
    );
  }
  try {
    if (args.length === 0) program.help();
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return internalFault(error, terminal);
  }
}

function commandOf(
  spec: CommandSpec,
  terminal: Terminal,
  finish: (code: ExitCode) => void,
): Command {
  const command = new Command(spec.name)
    .description(spec.summary)
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.err(text.trimEnd()),
      outputError: (text, write) => write(`${text.trimEnd()}\nSee: assay ${spec.name} --help`),
    })
    .addHelpText('after', `\nExamples:\n${spec.examples.map((one) => `  $ ${one}`).join('\n')}`);
  if (spec.argument) command.argument(...spec.argument);
  for (const option of spec.options) command.addOption(optionOf(option));
  command.action(async () => {
    const words = command.args;
    const input: CommandInput = { terminal, words, options: command.opts() };
    finish(await exitCodeOf(() => spec.run(input), terminal));
  });
  return command;
}

function optionOf({ flags, description, read, choices, default: usual }: OptionSpec): Option {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (usual !== undefined) option.default(usual, String(usual));
  if (read) option.argParser(read as (text: string) => unknown);
  return option;
}

/** Our own fault: short for the user, whole for whoever has to fix it. */
function internalFault(error: unknown, terminal: Terminal): ExitCode {
  const message = error instanceof Error ? error.message : String(error);
  terminal.err(`assay: internal error: ${message.split('\n')[0] ?? ''}`);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  if (terminal.env['ASSAY_DEBUG']) terminal.err(stack);
  else terminal.err('This is a fault of assay, not of the target. ASSAY_DEBUG=1 shows where.');
  return 3;
}

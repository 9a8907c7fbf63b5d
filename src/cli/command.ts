import type { ExitCode, Terminal } from './terminal.ts';

/** One option: its flags and words for the help, and how its value is read. */
export interface OptionSpec {
  readonly flags: string;
  readonly description: string;
  /** Throws the library's InvalidArgumentError for a value it does not take. */
  readonly read?: (text: string, before?: never) => unknown;
  readonly choices?: readonly string[];
}

/** A subcommand as the help shows it. What it does is loaded when it is called. */
export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  /** As `<file>` or `[files...]`, with a description. */
  readonly argument?: readonly [form: string, description: string];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  run(input: CommandInput): Promise<ExitCode>;
}

export interface CommandInput {
  readonly terminal: Terminal;
  /** What the argument took: none, one or several words. */
  readonly words: readonly string[];
  /** Values by the camel-case name of their option. */
  readonly options: Readonly<Record<string, unknown>>;
}

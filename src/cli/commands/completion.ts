import type { CommandSpec } from '../command.ts';

/** @param commands all commands, this one included */
export const completionCommand = (commands: () => readonly CommandSpec[]): CommandSpec => ({
  name: 'completion',
  summary: 'print a script by which your shell completes command lines of assay',
  argument: ['<shell>', 'bash, zsh or fish'],
  words: ['bash', 'zsh', 'fish'],
  options: [],
  examples: ['assay completion bash > ~/.local/share/bash-completion/completions/assay'],
  run: async (input) => (await import('../completion/command.ts')).completion(input, commands()),
});

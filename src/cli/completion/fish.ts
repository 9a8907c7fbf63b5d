import type { CommandSpec } from '../command.ts';
import { argumentOf, completedOptions, type OptionValue, quoted } from './options.ts';

/** Flags of `complete` for the value of an option or a command. By default fish offers files. */
function valueFor(value: OptionValue): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'anything':
      return ' -x';
    case 'path':
      return ' -r -F';
    case 'folder':
      return " -x -a '(__fish_complete_directories)'";
    case 'words':
      return ` -x -a ${quoted(value.words.join(' '))}`;
  }
}

export function fishCompletion(commands: readonly CommandSpec[]): string {
  const names = commands.map(
    ({ name, summary }) =>
      `complete -c assay -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  );
  const details = commands.flatMap((command) => {
    const within = `complete -c assay -n '__fish_seen_subcommand_from ${command.name}'`;
    const options = completedOptions(command).map(
      ({ long, description, value }) =>
        `${within} -l ${long.slice(2)}${valueFor(value)} -d ${quoted(description)}`,
    );
    const argument = argumentOf(command);
    if (argument.kind === 'words') {
      return [...options, `${within} -a ${quoted(argument.words.join(' '))}`];
    }
    return argument.kind === 'path' ? [...options, `${within} -F`] : options;
  });
  return [
    '# Completion of assay for fish: keep it as ~/.config/fish/completions/assay.fish',
    'complete -c assay -f',
    ...names,
    `complete -c assay -n __fish_use_subcommand -a help -d 'print help of a command'`,
    ...details,
    '',
  ].join('\n');
}

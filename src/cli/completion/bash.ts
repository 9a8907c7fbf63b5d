import type { CommandSpec } from '../command.ts';
import { argumentOf, completedOptions, type OptionValue } from './options.ts';

/** Shell code that sets COMPREPLY for a value. The file list of compgen keeps names with spaces whole. */
function repliesFor(value: OptionValue): string {
  switch (value.kind) {
    case 'none':
    case 'anything':
      return 'COMPREPLY=()';
    case 'path':
      return '_assay_paths -f';
    case 'folder':
      return '_assay_paths -d';
    case 'words':
      return `_assay_words '${value.words.join('\n')}'`;
  }
}

const caseOf = (patterns: readonly string[], action: string): string =>
  `    ${patterns.map((one) => `'${one}'`).join(' | ')}) ${action} ;;`;

/** Case lines for options with a value. Options with the same completion share a case. */
function valueCases(commands: readonly CommandSpec[]): string[] {
  const cases = new Map<string, string[]>();
  for (const command of commands) {
    for (const { long, value } of completedOptions(command)) {
      if (value.kind === 'none') continue;
      const action = repliesFor(value);
      cases.set(action, [...(cases.get(action) ?? []), `${command.name} ${long}`]);
    }
  }
  return [...cases].map(([action, patterns]) => caseOf(patterns, `${action}; return`));
}

export function bashCompletion(commands: readonly CommandSpec[]): string {
  const names = [...commands.map(({ name }) => name), 'help'].join('\n');
  return `# Completion of assay for bash: source it, or keep it as ~/.local/share/bash-completion/completions/assay
_assay_words() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_assay_paths() {
  local IFS=$'\\n'
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}
_assay() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)) || { ((COMP_CWORD == 2)) && [[ $command == help ]]; }; then
    _assay_words '${names}'
    return
  fi
  case "$command $prev" in
${valueCases(commands).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$command" in
${commands
  .map((one) =>
    caseOf(
      [one.name],
      `_assay_words '${completedOptions(one)
        .map(({ long }) => long)
        .join('\n')}'`,
    ),
  )
  .join('\n')}
    esac
    return
  fi
  case "$command" in
${commands.map((one) => caseOf([one.name], repliesFor(argumentOf(one)))).join('\n')}
  esac
}
complete -F _assay assay
`;
}

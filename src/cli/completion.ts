import { suggestion } from '../yaml/index.ts';
import { type CommandInput, type CommandSpec, type OptionSpec, usageFailure } from './command.ts';
import type { ExitCode } from './terminal.ts';

type Commands = readonly CommandSpec[];

/** Kind of the value of an option or argument; of `words`, the words. */
interface Value {
  readonly kind: 'none' | 'path' | 'folder' | 'anything' | 'words';
  readonly words?: readonly string[];
}

function valueOf({ flags, choices }: OptionSpec): Value {
  const [, placeholder] = /<([^>]+)>/.exec(flags) ?? [];
  if (placeholder === undefined) return { kind: 'none' };
  if (choices) return { kind: 'words', words: choices };
  if (placeholder === 'dir') return { kind: 'folder' };
  return { kind: placeholder === 'file' || placeholder.endsWith('.json') ? 'path' : 'anything' };
}

/** The options of a command as a shell completes them; every command has `--help`. */
const completed = ({ options }: CommandSpec) =>
  [...options, { flags: '--help', description: 'print help' }].map((option) => ({
    long: option.flags.split(' ')[0] ?? '',
    description: option.description,
    value: valueOf(option),
  }));

function argumentOf({ argument, words }: CommandSpec): Value {
  if (words) return { kind: 'words', words };
  if (!argument) return { kind: 'none' };
  return { kind: /^<(?:scenario|recording|run)/.test(argument[0]) ? 'path' : 'anything' };
}

/** A word that a POSIX shell, zsh and fish all take literally between single quotes. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '’')}'`;

/** Completion of each kind of value. */
type Actions = Readonly<Record<Exclude<Value['kind'], 'words'>, string>> & {
  readonly words: (words: readonly string[]) => string;
};

const actionIn =
  (actions: Actions) =>
  ({ kind, words = [] }: Value): string =>
    kind === 'words' ? actions.words(words) : actions[kind];

/** Shell code that sets COMPREPLY. The file list of compgen keeps names with spaces whole. */
const inBash = actionIn({
  none: 'COMPREPLY=()',
  anything: 'COMPREPLY=()',
  path: '_assay_paths -f',
  folder: '_assay_paths -d',
  words: (words) => `_assay_words '${words.join('\n')}'`,
});

const inZsh = actionIn({
  none: '',
  anything: ': ',
  path: '_files',
  folder: '_files -/',
  words: (words) => `(${words.join(' ')})`,
});

/** Flags of `complete`. By default fish offers files. */
const inFish = actionIn({
  none: '',
  anything: ' -x',
  path: ' -r -F',
  folder: " -x -a '(__fish_complete_directories)'",
  words: (words) => ` -x -a ${quoted(words.join(' '))}`,
});

function bash(commands: Commands): string {
  const caseOf = (patterns: readonly string[], action: string): string =>
    `    ${patterns.map((one) => `'${one}'`).join(' | ')}) ${action} ;;`;
  // Options with the same completion share a case.
  const cases = new Map<string, string[]>();
  for (const command of commands) {
    for (const { long, value } of completed(command)) {
      if (value.kind === 'none') continue;
      const action = inBash(value);
      cases.set(action, [...(cases.get(action) ?? []), `${command.name} ${long}`]);
    }
  }
  const values = [...cases].map(([action, patterns]) => caseOf(patterns, `${action}; return`));
  const options = commands.map((one) => {
    const words = completed(one).map(({ long }) => long);
    return caseOf([one.name], inBash({ kind: 'words', words }));
  });
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
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case "$command" in
${options.join('\n')}
    esac
    return
  fi
  case "$command" in
${commands.map((one) => caseOf([one.name], inBash(argumentOf(one)))).join('\n')}
  esac
}
complete -F _assay assay
`;
}

function zsh(commands: Commands): string {
  // A specification of _arguments; square brackets and colons end a description, and get backslashes before the quotes.
  const between = (text: string): string => `'${text.replaceAll("'", '’')}'`;
  const described = (text: string): string => text.replace(/[[\]:\\]/g, (one) => `\\${one}`);
  const argumentsOf = (command: CommandSpec): string => {
    const options = completed(command).map(({ long, description, value }) => {
      const action = value.kind === 'none' ? '' : `:value:${inZsh(value)}`;
      return between(`*${long}[${described(description)}]${action}`);
    });
    const argument = argumentOf(command);
    const words = argument.kind === 'none' ? [] : [between(`*:argument:${inZsh(argument)}`)];
    return [...options, ...words].map((one) => `        ${one}`).join(' \\\n');
  };
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const cases = commands.map(
    (one) => `    ${one.name})\n      _arguments \\\n${argumentsOf(one)}\n      ;;`,
  );
  return `#compdef assay
# Completion of assay for zsh: keep it as _assay in a directory of $fpath, or source it after compinit.
_assay() {
  local -a names
  names=(
${names.join('\n')}
    'help:print help of a command'
  )
  if ((CURRENT == 2)); then
    _describe command names
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
${cases.join('\n')}
    help) _describe command names ;;
  esac
}
if [[ $funcstack[1] == _assay ]]; then _assay "$@"; else compdef _assay assay; fi
`;
}

function fish(commands: Commands): string {
  const names = commands.map(
    ({ name, summary }) =>
      `complete -c assay -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
  );
  const details = commands.flatMap((command) => {
    const within = `complete -c assay -n '__fish_seen_subcommand_from ${command.name}'`;
    const { kind, words = [] } = argumentOf(command);
    return [
      ...completed(command).map(
        ({ long, description, value }) =>
          `${within} -l ${long.slice(2)}${inFish(value)} -d ${quoted(description)}`,
      ),
      ...(kind === 'words' ? [`${within} -a ${quoted(words.join(' '))}`] : []),
      ...(kind === 'path' ? [`${within} -F`] : []),
    ];
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

const shells: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish };

export function completion({ terminal, words }: CommandInput, commands: Commands): ExitCode {
  const [name = ''] = words;
  const script = Object.hasOwn(shells, name) ? shells[name] : undefined;
  if (!script) {
    const known = Object.keys(shells);
    const next = suggestion(name, known) ?? `one of ${known.join(', ')}`;
    throw usageFailure(`there is no completion for ${JSON.stringify(name)}`, next);
  }
  terminal.out(script(commands).trimEnd());
  return 0;
}

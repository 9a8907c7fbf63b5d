import type { CommandSpec, OptionSpec } from '../command.ts';

/** Value of an option: none, one of some words, a path, or free text. */
export type OptionValue =
  | { readonly kind: 'none' | 'path' | 'folder' | 'anything' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

export interface CompletedOption {
  /** `--target` */
  readonly long: string;
  readonly description: string;
  readonly value: OptionValue;
}

function valueOf({ flags, choices }: OptionSpec): OptionValue {
  const [, placeholder] = /<([^>]+)>/.exec(flags) ?? [];
  if (placeholder === undefined) return { kind: 'none' };
  if (choices) return { kind: 'words', words: choices };
  if (placeholder === 'dir') return { kind: 'folder' };
  return { kind: placeholder === 'file' || placeholder.endsWith('.json') ? 'path' : 'anything' };
}

/** The options of a command as a shell completes them; every command has `--help`. */
export const completedOptions = ({ options }: CommandSpec): readonly CompletedOption[] => [
  ...options.map((option) => ({
    long: option.flags.split(/[ ,]/)[0] ?? option.flags,
    description: option.description,
    value: valueOf(option),
  })),
  { long: '--help', description: 'print help', value: { kind: 'none' } },
];

/** Argument of a command beside its options. */
export function argumentOf({ argument, words }: CommandSpec): OptionValue {
  if (words) return { kind: 'words', words };
  if (!argument) return { kind: 'none' };
  return { kind: /^<(?:scenario|recording|run)/.test(argument[0]) ? 'path' : 'anything' };
}

/** A word that a POSIX shell, zsh and fish all take literally between single quotes. */
export const quoted = (text: string): string => `'${text.replace(/['\\]/g, '’')}'`;

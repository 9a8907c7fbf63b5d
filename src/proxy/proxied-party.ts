import type { Role } from '../spec/vocabulary.ts';

/** A party as the target file names it. */
export interface ProxiedParty {
  readonly name: string;
  readonly role: Role;
  /** Of its backend. */
  readonly baseUrl: string;
}

/** Who drives what passes, as the records of it say. */
export const driver = 'proxy';

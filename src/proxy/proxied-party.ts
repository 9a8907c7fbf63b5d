import type { Role } from '../spec/vocabulary.ts';

/** A party as the target file names it. */
export interface ProxiedParty {
  readonly name: string;
  readonly role: Role;
  /** Base URL of the party's backend. */
  readonly baseUrl: string;
}

/** Driver of the records of proxied traffic. */
export const driver = 'proxy';

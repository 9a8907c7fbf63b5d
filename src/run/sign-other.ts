import type { SigningKey } from '../client/contract.ts';
import { jwtPart } from '../protocol/jwt.ts';
import { signedOtherwise } from '../client/token-signing.ts';
import type { SignOther } from '../reproduce/credentials.ts';
import type { CastName } from '../spec/requirements/index.ts';

/** Ten years: a script is kept, and nothing in it can sign anew. */
const addedSeconds = 10 * 365 * 86_400;

/** What of a target it takes to sign tokens that its parties might have. */
interface Signing {
  readonly signing?: SigningKey;
  party(name: CastName, by: string): { readonly token?: string };
}

/** Signs with the target's own key what a party's token states but for some claims; undefined where it offers none. */
export const signOtherOf = (target: Signing): SignOther | undefined => {
  const { signing } = target;
  return (
    signing &&
    ((name, changes) => {
      const { token = '' } = target.party(name, 'judge');
      const exp = Number(jwtPart(token, 'claims')?.['exp'] ?? 0) + addedSeconds;
      return signedOtherwise(token, { exp, ...changes }, signing.mintNow);
    })
  );
};

export type FoundToken =
  | { readonly ok: true; readonly token: string; readonly expiresInSeconds?: number }
  | { readonly ok: false; readonly message: string };

/** A token goes into a header as it is: anything but visible ASCII would break it, or smuggle a header in. */
export function asToken(text: string, origin: string, expiresInSeconds?: number): FoundToken {
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) {
    return {
      ok: false,
      message: `${origin} gave no token but ${token === '' ? 'nothing' : 'several words'}`,
    };
  }
  return { ok: true, token, ...(expiresInSeconds !== undefined && { expiresInSeconds }) };
}

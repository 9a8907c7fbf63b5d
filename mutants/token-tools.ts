import type { AdmissionContext, Tamper, TokenRefusal } from '../src/reference/http/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { Json } from './tools.ts';

type Decided = 'admitted' | TokenRefusal;

export const gate =
  (admits: (decided: Decided, context: AdmissionContext) => boolean | undefined) => (): Tamper => ({
    admits,
  });

/** Lets one kind of refused token pass at some endpoints. */
export const lenient = (refusal: TokenRefusal, ...where: readonly EndpointName[]) =>
  gate((decided, { endpoint }) =>
    decided === refusal && endpoint !== undefined && where.includes(endpoint) ? true : undefined,
  );

/** The header (0) or the claims (1) of a bearer token. */
export const part = (authorization: string | undefined, index: number): Json | undefined => {
  try {
    const text = atob((authorization ?? '').split('.')[index]?.split(' ').pop() ?? '');
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

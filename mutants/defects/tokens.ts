import type {
  AdmissionContext,
  TamperContext,
  TokenCheck,
  TokenRefusal,
} from '../../src/reference/http/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import type { Make, Nothing } from './context.ts';
import type { Json } from './values.ts';

/** Defects in tokens: whether they are required, which claims are verified, and which they contain. */

type Decided = 'admitted' | TokenRefusal;

/** Another decision over a token than the gate's; undefined leaves it. */
export const gate =
  (admits: (decided: Decided, context: AdmissionContext) => boolean | undefined): Make =>
  () => ({ admits });

/** Lets some of the tokens pass that are refused for one reason. */
export const pass = (refusal: TokenRefusal, when: (context: AdmissionContext) => boolean): Make =>
  gate((decided, context) => (decided === refusal && when(context) ? true : undefined));

/** Lets them pass at some endpoints. */
export const lenient = (refusal: TokenRefusal, ...where: readonly EndpointName[]): Make =>
  pass(refusal, ({ endpoint }) => endpoint !== undefined && where.includes(endpoint));

/** Refuses some of the tokens that are good. */
export const bar = (when: (context: AdmissionContext) => boolean): Make =>
  gate((decided, context) => (decided === 'admitted' && when(context) ? false : undefined));

/** Endpoints that want no token. */
export const unguarded =
  (...where: EndpointName[]): Make =>
  () => ({ authRequired: (endpoint) => (where.includes(endpoint) ? false : undefined) });

/** Checks of a token that are left out. */
export const unchecked =
  (...skip: TokenCheck[]): Make =>
  () => ({ verify: { skip } });

/** Other claims of tokens, without the checks that would stumble over them; undefined leaves a claim out. */
export const claims =
  (change: (own: Json, context: TamperContext) => Json | Nothing, ...skip: TokenCheck[]): Make =>
  () => ({
    claims: (own, context) => {
      const all = Object.entries({ ...own, ...change(own, context) });
      return Object.fromEntries(all.filter(([, value]) => value !== undefined));
    },
    verify: { skip },
  });

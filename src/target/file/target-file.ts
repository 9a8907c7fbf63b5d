import type { GapId } from '../../spec/gaps/index.ts';
import type { CastName, ControlName } from '../../spec/requirements/requirement.ts';
import type { Role } from '../../spec/vocabulary.ts';
import type { Route } from '../../client/http/route.ts';
import type { Place } from '../../yaml/index.ts';

/** Source of a party's token. `own`: its own `POST /auth/token`. */
export type TokenSource =
  | { readonly kind: 'own' }
  | { readonly kind: 'env'; readonly variable: string; readonly token: string }
  | { readonly kind: 'command'; readonly command: readonly [string, ...string[]] }
  | ({ readonly kind: 'client_credentials' } & ClientCredentials);

/** A client of an authorization server (RFC 6749, 4.4). */
export interface ClientCredentials {
  /** The address of the token endpoint, or of the issuer whose metadata names it (RFC 8414). */
  readonly at: { readonly tokenUrl: string } | { readonly issuer: string };
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
  readonly scope?: string;
  readonly audience?: string;
}

/** Authentication of the client, by the registered names of the methods (RFC 7591, 2; RFC 8705). */
export type ClientAuthentication =
  | {
      readonly method: 'client_secret_post' | 'client_secret_basic';
      readonly secret: string;
      /** The environment variable that it came from. */
      readonly variable: string;
    }
  /** `key`: PEM or JWK. `alg`: absent if the key determines it. */
  | {
      readonly method: 'private_key_jwt';
      readonly key: string;
      readonly alg?: string;
      readonly kid?: string;
    }
  /** By the certificate of the connection (`tls`). */
  | { readonly method: 'tls_client_auth' };

/** The address of a JSON Web Key Set, or of the issuer whose metadata name it. */
export type KeySource = { readonly jwksUri: string } | { readonly issuer: string };

export interface Participant {
  readonly name: CastName;
  readonly role: Role;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly token: TokenSource;
  readonly route: Route;
  /** Source of the public keys of its issuer. */
  readonly keys?: KeySource;
  /** Its places in the file, for problems that show only when the party is reached. */
  readonly places: {
    readonly name: Place;
    readonly role: Place;
    readonly baseUrl: Place;
    readonly token: Place;
    readonly keys: Place;
  };
}

/** An HTTP request whose body may hold placeholders such as `$ms`. */
export interface RequestTemplate {
  readonly url: string;
  readonly body: unknown;
}

export type ClockSection =
  | { readonly kind: 'system'; readonly maxWaitMs: number }
  | {
      readonly kind: 'controlled';
      readonly maxWaitMs: number;
      /** `at`: JSON Pointer to the moment, in milliseconds or as a timestamp. */
      readonly now: { readonly url: string; readonly at: string };
      /** Placeholders `$ms`, `$now`, `$to` (milliseconds), `$now_iso`, `$to_iso`. */
      readonly advance: RequestTemplate;
      readonly places: { readonly now: Place; readonly advance: Place };
    };

export interface SigningSection {
  readonly alg: string;
  /** PEM, JWK, or for HS algorithms the secret itself. */
  readonly key: string;
  readonly kid?: string;
  readonly place: Place;
}

/** `order`: fields for the creation of an order. `call`: a request once it exists; placeholder `$intent_id`. */
export interface ControlSection {
  readonly order?: Readonly<Record<string, unknown>>;
  readonly call?: RequestTemplate;
}

/** A target file, read and checked. */
export interface TargetFile {
  /** Name of the file in messages. */
  readonly file: string;
  /** Directory of the file; commands run there. */
  readonly directory: string;
  readonly name: string;
  /** True if nobody else uses the target during a run. */
  readonly alone?: boolean;
  /** Route of requests to its clock, its controls and token endpoints elsewhere. */
  readonly route: Route;
  /** `none`: the target refuses the headers by which its logs would name our requests. */
  readonly correlation?: 'none';
  /** In the order of the file, at least one. */
  readonly participants: readonly Participant[];
  readonly clock: ClockSection;
  readonly signing?: SigningSection;
  readonly controls: { readonly [name in ControlName]?: ControlSection };
  /** Request that restarts the target: among the controls in the file, but it concerns no order. */
  readonly restart?: RequestTemplate;
  readonly orderDefaults: Readonly<Record<string, unknown>>;
  readonly gaps: { readonly [id in GapId]?: string };
  /** Secret values that the file holds or names: they must not be written. */
  readonly secrets: readonly string[];
}

/** Longest wait for a target on its own clock, unless its file or the command says otherwise. */
export const defaultMaxWaitMs = 90_000;

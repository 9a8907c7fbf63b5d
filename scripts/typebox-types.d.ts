// The part of typebox's types that the declarations of the library name. Shipped in its place: the package itself is
// bundled, and nobody installs it for a type. A test compiles the declarations with this file and without typebox.

export interface TString {
  readonly type: 'string';
}
export interface TInteger {
  readonly type: 'integer';
}
export type TEnumValue = string | number | null;
export interface TEnum<Values extends readonly TEnumValue[]> {
  readonly enum: Values;
}
export interface TObject<Properties> {
  readonly type: 'object';
  readonly properties: Properties;
  readonly required: readonly string[];
}
export type TOptional<Schema> = Schema & { readonly '~optional': true };
export declare const Optional: <Schema>(schema: Schema) => TOptional<Schema>;

type OptionalKeys<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { readonly '~optional': true } ? Key : never;
}[keyof Properties];

/** The type of the values that a schema describes. */
export type Static<Schema> = Schema extends TString
  ? string
  : Schema extends TInteger
    ? number
    : Schema extends TEnum<infer Values>
      ? Values[number]
      : Schema extends TObject<infer Properties>
        ? {
            [Key in Exclude<keyof Properties, OptionalKeys<Properties>>]: Static<Properties[Key]>;
          } & { [Key in OptionalKeys<Properties>]?: Static<Properties[Key]> }
        : never;

export type * as Type from './typebox-types.js';

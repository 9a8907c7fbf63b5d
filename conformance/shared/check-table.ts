/** Rows of a table of checks, with their values as types. */
export const rows = <const Rows extends readonly unknown[]>(...all: Rows): Rows => all;

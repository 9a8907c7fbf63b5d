/** A request that the peer refuses; the dialect has the status of each kind. */
export class Refusal extends Error {
  readonly kind: string;
  constructor(kind: string, code: string) {
    super(code);
    this.kind = kind;
  }
}

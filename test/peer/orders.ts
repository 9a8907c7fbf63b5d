export interface Order {
  id: string;
  status: string;
  sender: string;
  body: Record<string, string>;
  created: number;
  expires: number;
  /** In the order of their submission. */
  readonly quotes: Quote[];
  reason?: string;
  accepted?: { quote: Quote; at: number };
  settled?: { hash: string; at: number };
}

export interface Quote {
  id: string;
  order: Order;
  maker: string;
  rate: string;
  target: string;
  source: string;
  submitted: string;
  at: number;
  until: number;
  untilText: string;
  status: string;
}

export class Refusal extends Error {
  readonly kind: string;
  constructor(kind: string, code: string) {
    super(code);
    this.kind = kind;
  }
}

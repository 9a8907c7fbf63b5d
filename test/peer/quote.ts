import type { Order } from './order-book.ts';

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

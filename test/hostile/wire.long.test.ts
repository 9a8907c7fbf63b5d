import { tryWire } from './try-wire.ts';

tryWire();

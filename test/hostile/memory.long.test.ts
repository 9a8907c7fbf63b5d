import { tryFloods } from './try-floods.ts';

tryFloods();

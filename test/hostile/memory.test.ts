import { tryFloods } from './try-floods.ts';

tryFloods(['whose bodies have no end']);

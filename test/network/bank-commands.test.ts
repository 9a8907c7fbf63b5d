import { reachBehindBank } from './bank-commands.ts';

reachBehindBank(false);

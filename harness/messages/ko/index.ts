import { explain } from './explain.ts';
import { hints } from './hints.ts';
import { terminal } from './terminal.ts';

export const ko = { explain, hints, terminal };

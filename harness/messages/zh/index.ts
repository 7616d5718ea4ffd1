import { terminal } from './terminal.ts';
import { watch } from './watch.ts';

export const zh = { terminal, watch };

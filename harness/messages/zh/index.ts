import { terminal } from './terminal.ts';

export const zh = { terminal };

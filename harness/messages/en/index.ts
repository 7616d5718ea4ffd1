import { terminal } from './terminal.ts';

export const en = { terminal };

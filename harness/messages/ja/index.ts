import { terminal } from './terminal.ts';

export const ja = { terminal };

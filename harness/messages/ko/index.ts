import { terminal } from './terminal.ts';

export const ko = { terminal };

import { faults } from './faults.ts';
import { telling } from './telling.ts';
import { terminal } from './terminal.ts';

export const ja = { faults, telling, terminal };

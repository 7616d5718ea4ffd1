import { faults } from './faults.ts';
import { page } from './page.ts';
import { telling } from './telling.ts';
import { terminal } from './terminal.ts';
import { watch } from './watch.ts';
import { worksheet } from './worksheet.ts';

export const ja = { faults, page, telling, terminal, watch, worksheet };

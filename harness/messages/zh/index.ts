import { ends } from './ends.ts';
import { explain } from './explain.ts';
import { faults } from './faults.ts';
import { hints } from './hints.ts';
import { page } from './page.ts';
import { script } from './script.ts';
import { telling } from './telling.ts';
import { terminal } from './terminal.ts';
import { watch } from './watch.ts';
import { worksheet } from './worksheet.ts';

export const zh = { ends, explain, faults, hints, page, script, telling, terminal, watch, worksheet };

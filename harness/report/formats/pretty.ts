import type { Render } from '../formats.ts';
import { tellReport } from './telling.ts';

/** Words, without colours. */
export const render: Render = tellReport;

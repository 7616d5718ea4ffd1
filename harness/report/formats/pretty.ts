import type { Render } from '../formats.ts';
import { Pretty, plainly } from '../pretty.ts';
import { tellReport } from './telling.ts';

/** Words, without colours, in the tongue of the reader. */
export const render: Render = (report, { lab, texts }) =>
  tellReport(report, new Pretty(lab, { ...plainly, texts }));

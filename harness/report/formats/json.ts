import type { Render } from '../formats.ts';
import { jsonText } from './telling.ts';

/** The report itself; its schema is report.schema.json. */
export const render: Render = jsonText;

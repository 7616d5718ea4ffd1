import type { Render } from '../formats.ts';
import { jsonText } from './telling.ts';

/** The report itself, in English; its schema is report.schema.json. */
export const render: Render = (report) => jsonText(report, (name) => name !== 'learner');

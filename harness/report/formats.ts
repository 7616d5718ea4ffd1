import type { Scoring } from './score.ts';
import type { ShownReport } from './shown.ts';

/*
 * The formats of a result: one file each in formats/, loaded when it is asked for. What each of them is for, and how big its
 * platform lets it be, is in docs/formats.md.
 */

export interface FormatOptions extends Scoring {
  /** The folder that files of the submission are named from, for those who show messages beside the code. */
  readonly base: string;
  /** When the run ended. */
  readonly now: Date;
  /** Of this tool. */
  readonly version: string;
}

/** The whole result as a text, without a line feed at its end. Whatever a submission wrote is data in it. */
export type Render = (report: ShownReport, options: FormatOptions) => string;

export interface Rendering {
  readonly render: Render;
  /** What is told elsewhere, once, at the end. */
  readonly atEnd?: (report: ShownReport, options: FormatOptions, environment: NodeJS.ProcessEnv) => void;
}

export interface Format {
  readonly name: string;
  /** What reads it. */
  readonly description: string;
  readonly load: () => Promise<Rendering>;
}

export const formats: readonly Format[] = [
  { name: 'pretty', description: 'words', load: () => import('./formats/pretty.ts') },
  { name: 'json', description: "this tool's own JSON", load: () => import('./formats/json.ts') },
  // { name: 'html', description: 'a page', load: () => import('./formats/html.ts') }
  { name: 'junit', description: 'JUnit XML', load: () => import('./formats/junit.ts') },
  { name: 'tap', description: 'TAP 14', load: () => import('./formats/tap.ts') },
  { name: 'sarif', description: 'SARIF 2.1.0', load: () => import('./formats/sarif.ts') },
  {
    name: 'github',
    description: 'annotations and job summary of GitHub Actions',
    load: () => import('./formats/github.ts'),
  },
  { name: 'classroom', description: 'GitHub Classroom', load: () => import('./formats/classroom.ts') },
  { name: 'gradescope', description: 'Gradescope', load: () => import('./formats/gradescope.ts') },
  { name: 'prairielearn', description: 'PrairieLearn', load: () => import('./formats/prairielearn.ts') },
  { name: 'autolab', description: 'Autolab', load: () => import('./formats/autolab.ts') },
  { name: 'exercism', description: 'Exercism test runner', load: () => import('./formats/exercism.ts') },
  { name: 'check50', description: 'check50', load: () => import('./formats/check50.ts') },
];

/** The format of that name, if there is one. */
export function formatNamed(name: string): Format | undefined {
  return formats.find((format) => format.name === name);
}

import { appendFileSync, statSync } from 'node:fs';
import { textsOf } from '../../messages/texts.ts';
import { UsageError } from '../../usage-error.ts';
import { cut } from '../cut.ts';
import type { FormatOptions, Render } from '../formats.ts';
import { placeOf } from '../place.ts';
import { summaryOf } from '../pretty.ts';
import type { ShownClause, ShownReport, ShownStep } from '../shown.ts';
import { markdown, mostMarkdown } from './markdown.ts';
import { nameOfClause, tellClause, unjudged } from './telling.ts';

/*
 * Annotations of GitHub Actions, by workflow commands on standard output: an error a clause that failed, a warning a clause
 * that could not be judged. (docs.github.com, "Workflow commands for GitHub Actions")
 */

/** Annotations of a level that are shown of a step of a job; the rest is only logged. */
const mostAnnotations = 10;
/** Characters of a message: `_maxIssueMessageLength` of the runner, ExecutionContext.cs. */
const mostMessage = 4096;

interface Annotation {
  readonly level: 'error' | 'warning';
  readonly title: string;
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

export const render: Render = (report, options) => {
  const all = report.steps.flatMap((step) =>
    step.clauses.flatMap((clause) => annotationOf(report, options, step, clause)),
  );
  const ofRun: Annotation[] =
    report.fault === undefined
      ? []
      : [{ level: 'warning', title: report.lab, message: unjudged(report.fault) }];
  const errors = all.filter(({ level }) => level === 'error');
  const warnings = [...ofRun, ...all.filter(({ level }) => level === 'warning')];
  return [
    ...atMost(errors).map(command),
    ...atMost(warnings).map(command),
    summaryOf(report, textsOf('en')),
  ].join('\n');
};

/** Appends the summary of the job, where there is room for it. */
export function atEnd(report: ShownReport, options: FormatOptions, environment: NodeJS.ProcessEnv): void {
  const file = environment.GITHUB_STEP_SUMMARY;
  if (!file) return;
  try {
    const before = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (before < mostMarkdown) appendFileSync(file, `${markdown(report, options, mostMarkdown - before)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `GITHUB_STEP_SUMMARY ${file}: cannot be written (${code}); unset it, or name another`,
    );
  }
}

function annotationOf(
  report: ShownReport,
  { base }: FormatOptions,
  { title }: ShownStep,
  clause: ShownClause,
): Annotation[] {
  const { failure, verdict, fault } = clause;
  if (failure) {
    const place = placeOf(report, title, failure, base);
    return [{ level: 'error', title: nameOfClause(clause), message: tellClause(clause), ...place }];
  }
  if (verdict !== 'undecided') return [];
  return [{ level: 'warning', title: nameOfClause(clause), message: unjudged(fault) }];
}

/** As many as are shown: the last one stands for those that are too many. */
function atMost(annotations: readonly Annotation[]): readonly Annotation[] {
  if (annotations.length <= mostAnnotations) return annotations;
  const shown = annotations.slice(0, mostAnnotations - 1);
  const rest = annotations.slice(shown.length);
  const { level } = rest[0] as Annotation;
  const message = rest.map(({ title }) => title).join('\n');
  return [...shown, { level, title: `${rest.length} more clauses`, message }];
}

function command({ level, title, message, file, line }: Annotation): string {
  const properties = [
    ...(file === undefined ? [] : [`file=${property(file)}`]),
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${property(title)}`,
  ];
  return `::${level} ${properties.join(',')}::${data(cut(message, mostMessage))}`;
}

/** As `escapeData` and `escapeProperty` of @actions/core, command.ts. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

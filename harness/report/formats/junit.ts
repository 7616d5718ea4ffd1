import XMLBuilder from 'fast-xml-builder';
import { cut, fitted } from '../cut.ts';
import type { FormatOptions, Render } from '../formats.ts';
import { harmlessLine } from '../harmless.ts';
import type { ShownClause, ShownReport, ShownStep } from '../shown.ts';
import { brief, nameOfClause, nameOfStep, tellClause, unjudged } from './telling.ts';

/*
 * JUnit XML as Ant writes it, in what Windy Road's schema of it, Jenkins' and GitLab's readers have in common. Undecided is
 * `error`: "an unanticipated problem", and no failure.
 */

/** What GitLab reads of one file: docs.gitlab.com/ci/testing/unit_test_reports. */
const mostBytes = 30_000_000;
/** libxml2, by which GitLab reads, refuses texts of more than 10,000,000 bytes (XML_MAX_TEXT_LENGTH). */
const mostText = 1_000_000;

const attribute = '@_';
const builder = new XMLBuilder({
  attributeNamePrefix: attribute,
  ignoreAttributes: false,
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

/** An element: attributes, text and children by their names, several of a name as a list. */
type Element = Readonly<Record<string, unknown>>;

/** A suite a step, a case a clause. */
export const render: Render = (report, options) =>
  fitted(mostBytes, (most) => {
    const testsuite = suitesOf(report, options, Math.min(most, mostText));
    const declaration = attributes({ version: '1.0', encoding: 'UTF-8' });
    return builder.build({ '?xml': declaration, testsuites: { testsuite } }).trimEnd();
  });

function attributes(values: Readonly<Record<string, string | number>>): Element {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [attribute + name, String(value)]));
}

interface Suite extends Pick<ShownStep, 'seconds' | 'clauses'> {
  readonly name: string;
}

/** Where the run as a whole could not be judged, that is a suite of its own: the others may all be skipped. */
function suitesOf(report: ShownReport, options: FormatOptions, most: number): Element[] {
  const { fault } = report;
  const suites = report.steps.map((step): Suite => ({ ...step, name: nameOfStep(step) }));
  if (fault !== undefined) {
    const run: ShownClause = {
      ...{ id: 'run', statement: report.lab, verdict: 'undecided', fault, cases: 0, seconds: 0 },
    };
    suites.push({ name: 'run', seconds: 0, clauses: [run] });
  }
  return suites.map((suite, id) => suiteOf(report, options, suite, id, most));
}

function suiteOf(
  { lab, submission, seed, isolation, seconds: total }: ShownReport,
  { now }: FormatOptions,
  { name, seconds, clauses }: Suite,
  id: number,
  most: number,
): Element {
  const having = (verdict: string) => clauses.filter((clause) => clause.verdict === verdict).length;
  const known = { submission: harmlessLine(submission), isolation, ...(seed === undefined ? {} : { seed }) };
  return {
    ...attributes({
      ...{ name, package: lab, id, hostname: 'localhost' },
      timestamp: new Date(now.getTime() - 1000 * total).toISOString().slice(0, 19),
      ...{ tests: clauses.length, failures: having('failed'), errors: having('undecided') },
      ...{ skipped: having('skipped'), time: seconds.toFixed(3) },
    }),
    properties: {
      property: Object.entries(known).map(([name, value]) => attributes({ name, value })),
    },
    testcase: clauses.map((clause) => caseOf(`${lab}.${name}`, clause, most)),
    'system-out': '',
    'system-err': '',
  };
}

function caseOf(classname: string, clause: ShownClause, most: number): Element {
  const { verdict, failure, seconds, fault } = clause;
  const short = (text: string) => cut(text, most);
  const named = attributes({ name: nameOfClause(clause), classname, time: seconds.toFixed(3) });
  if (failure) {
    const told = attributes({ message: short(brief(failure)), type: failure.kind });
    return { ...named, failure: { ...told, '#text': short(tellClause(clause)) } };
  }
  if (verdict === 'undecided') {
    return { ...named, error: attributes({ message: short(unjudged(fault)), type: 'undecided' }) };
  }
  return verdict === 'skipped' ? { ...named, skipped: '' } : named;
}

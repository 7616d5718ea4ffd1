import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import { cut, fitted } from '../cut.ts';
import type { FormatOptions, Render } from '../formats.ts';
import { harmlessLine } from '../harmless.ts';
import type { ShownClause, ShownReport, ShownStep } from '../shown.ts';
import { brief, nameOfClause, nameOfStep, notAsked, tellClause, unjudged } from './telling.ts';

/*
 * JUnit XML as Ant writes it, in what Windy Road's schema of it, Jenkins' and GitLab's readers have in common. Undecided is
 * `error`: "an unanticipated problem", and no failure.
 */

/** What GitLab reads of one file: docs.gitlab.com/ci/testing/unit_test_reports. */
const mostBytes = 30_000_000;
/** libxml2 refuses longer texts unless told otherwise, and with it GitLab: its XML_MAX_TEXT_LENGTH is 10,000,000. */
const mostText = 1_000_000;

/** A suite a step, a case a clause. */
export const render: Render = (report, options) =>
  fitted(mostBytes, (most) => suites(report, options, Math.min(most, mostText)));

function suites(report: ShownReport, options: FormatOptions, most: number): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites');
  for (const step of report.steps) {
    const { seconds, clauses } = step;
    suite(root, report, options, { name: nameOfStep(step), seconds, clauses }, most);
  }
  if (report.fault !== undefined) {
    const { fault } = report;
    const run = { id: 'run', statement: 'could be judged', verdict: 'undecided', fault } as const;
    const clauses = [{ ...run, cases: 0, seconds: 0 }];
    suite(root, report, options, { name: 'run', seconds: 0, clauses }, most);
  }
  return root.end({ prettyPrint: true });
}

interface Suite extends Pick<ShownStep, 'seconds' | 'clauses'> {
  readonly name: string;
}

function suite(
  root: XMLBuilder,
  { lab, submission, seed, isolation, seconds: total }: ShownReport,
  { now }: FormatOptions,
  { name, seconds, clauses }: Suite,
  most: number,
): void {
  const having = (verdict: string) => clauses.filter((clause) => clause.verdict === verdict).length;
  const element = root.ele('testsuite', {
    name,
    package: lab,
    id: root.node.childNodes.length,
    timestamp: new Date(now.getTime() - 1000 * total).toISOString().slice(0, 19),
    hostname: 'localhost',
    tests: clauses.length,
    failures: having('failed'),
    errors: having('undecided'),
    skipped: having('skipped'),
    time: seconds.toFixed(3),
  });
  const properties = element.ele('properties');
  const known = { submission: harmlessLine(submission), isolation, ...(seed === undefined ? {} : { seed }) };
  for (const [key, value] of Object.entries(known)) properties.ele('property', { name: key, value });
  for (const clause of clauses) testcase(element, `${lab}.${name}`, clause, most);
  element.ele('system-out');
  element.ele('system-err');
}

function testcase(suite: XMLBuilder, classname: string, clause: ShownClause, most: number): void {
  const { verdict, failure, seconds, fault } = clause;
  const element = suite.ele('testcase', { name: nameOfClause(clause), classname, time: seconds.toFixed(3) });
  const short = (text: string) => cut(text, most);
  if (failure) {
    element
      .ele('failure', { message: short(brief(failure)), type: failure.kind })
      .txt(short(tellClause(clause)));
  } else if (verdict === 'undecided') {
    element.ele('error', { message: short(unjudged(fault)), type: 'undecided' });
  } else if (verdict === 'skipped') {
    element.ele('skipped', { message: notAsked });
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type * as schema from 'mutation-testing-report-schema/api';
import type { Clause } from '../contract.ts';
import { placesOf } from '../lab-places.ts';
import { staff } from '../messages/staff.ts';
import { textsOf, wordsOf } from '../messages/texts.ts';
import { referenceBase } from '../mutation/base.ts';
import { patched } from '../mutation/mutants.ts';
import { offsetOf, patchesOf } from '../mutation/sql/places.ts';
import type { MutantResult, MutantStatus, SourceChange, Validation } from '../mutation/validation.ts';
import { projectFile } from '../project.ts';
import { knownLab } from '../registry.ts';
import { html, page } from './html.ts';

const words = wordsOf(textsOf('en'), 'terminal');

/** A report in the schema of Mutation Testing Elements. */
export type ElementsReport = schema.MutationTestResult;

/** Two reports tell of the same file in different states. */
export class SourceDiffers extends Error {}

/**
 * The status that comes nearest. The app counts `Timeout` as detected, which here only a broken contract is, and leaves
 * errors and what is ignored out of the score: so the score is 100 exactly if every mutant fared as it should.
 */
const statuses: Readonly<Record<MutantStatus, schema.MutantStatus>> = {
  killed: 'Killed',
  survived: 'Survived',
  flaky: 'Survived',
  'killed elsewhere': 'Survived',
  crash: 'RuntimeError',
  timeout: 'RuntimeError',
  stillborn: 'CompileError',
  invalid: 'CompileError',
  equivalent: 'Ignored',
  undecided: 'Pending',
};

/**
 * All mutants of the validations, each in the reference file that it is made of; the tests are the clauses. Where Stryker's
 * report of the same files is given, its mutants stand beside ours. Throws a {@link SourceDiffers} where that was made of
 * another state of a file.
 */
export function mutationElements(
  validations: readonly Validation[],
  stryker?: ElementsReport,
): ElementsReport {
  const own: ElementsReport = {
    schemaVersion: '2',
    thresholds: { high: 100, low: 90 },
    framework: { name: 'labcheck' },
    files: Object.assign({}, ...validations.map(filesOf)),
    testFiles: Object.assign({}, ...validations.map(testFilesOf)),
  };
  return stryker ? merged(own, stryker) : own;
}

/** The report as one HTML file that needs no network: the app with the report in it. */
export function mutationElementsPage(report: ElementsReport): string {
  const app = createRequire(import.meta.url).resolve('mutation-testing-elements/mutation-test-elements.js');
  return page({
    title: staff.elements.title,
    body: html`<mutation-test-report-app title-postfix="${staff.elements.title}"></mutation-test-report-app>
<noscript>${staff.elements.noScript}</noscript>`,
    style: 'body { padding: 0.5rem; }\n',
    // The app is part of mutation-testing-elements, under the Apache License 2.0.
    scripts: [
      readFileSync(app, 'utf8'),
      readFileSync(projectFile('harness/report/elements/page.js'), 'utf8'),
    ],
    data: report,
  });
}

// ---- files and their mutants

/** What is mutated, by its place in the project. */
function filesOf(validation: Validation): schema.FileResultDictionary {
  const files: Record<string, schema.FileResult> = {};
  for (const mutant of validation.mutants) {
    const file = fileOf(mutant, validation);
    const name = path.posix.join('reference', validation.lab, file);
    const { language } = mutant;
    files[name] ??= {
      language: languageOf(name, language),
      source: textAt(path.join(placesOf(validation.lab).reference, file)),
      mutants: [],
    };
    files[name].mutants.push(mutantOf(mutant, validation, files[name].source));
  }
  return files;
}

/** The file that it changes most; the entry file where nothing could be changed. */
function fileOf({ changes, language }: MutantResult, { lab }: Validation): string {
  return mainPlace(changes)[0]?.file ?? referenceBase(knownLab(lab), language).entry;
}

function mutantOf(mutant: MutantResult, { lab, steps }: Validation, source: string): schema.MutantResult {
  const asked = mutant.cells.filter(({ verdict }) => verdict !== 'skipped').map(({ step }) => step);
  const clauses = steps
    .filter(({ step }) => asked.includes(step))
    .flatMap(({ step }) => clausesOf(lab, step));
  const failures = mutant.cells.flatMap((cell) => cell.failures);
  const shown = mainPlace(mutant.changes);
  const others = mutant.changes.filter((change) => !shown.includes(change));
  return {
    id: `${lab}/${mutant.language}/${mutant.id}`,
    mutatorName: mutant.operator ?? mutant.origin,
    description: [mutant.why, ...others.map(staff.elements.alsoChanges)].join(' '),
    status: statuses[mutant.status],
    statusReason: reasonOf(mutant),
    coveredBy: clauses.map(({ id }) => testId(lab, id)),
    killedBy: failures.map(({ clause }) => testId(lab, clause)),
    ...extent(shown, source),
  };
}

/** Lines between two changes up to which they are shown in one. */
const near = 4;

/** The app shows one place a mutant: of the changes those near each other that are most of it. An import is least. */
function mainPlace(changes: readonly SourceChange[]): readonly SourceChange[] {
  const places: SourceChange[][] = [];
  for (const change of changes) {
    const last = places.at(-1)?.at(-1);
    if (last && last.file === change.file && change.start.line - last.end.line <= near)
      places.at(-1)?.push(change);
    else places.push([change]);
  }
  const sizeOf = (place: readonly SourceChange[]) =>
    place.reduce((sum, { original, replacement }) => sum + original.length + replacement.length, 0);
  return [...places].sort((a, b) => sizeOf(b) - sizeOf(a))[0] ?? [];
}

/** From the first of the changes to the last. */
function extent(
  changes: readonly SourceChange[],
  source: string,
): Pick<schema.MutantResult, 'location' | 'replacement'> {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return { location: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } } };
  const from = offsetOf(source, first.start);
  const shown = source.slice(from, offsetOf(source, last.end));
  const replacement = patched(shown, patchesOf(source, changes, from));
  return { location: { start: first.start, end: last.end }, replacement };
}

/** Of a kill the smallest failing input; of all else why it is what it is. */
function reasonOf({ status, detail, cells }: MutantResult): string {
  const { groups, means } = staff.matrix;
  const [failure] = cells.flatMap(({ failures }) => failures);
  if (status !== 'killed' || !failure) {
    return staff.elements.reason(groups[status], means[status], detail ?? '');
  }
  const { calls, expected, got } = failure.report;
  return [`${failure.clause}`, ...calls, `${words('expected')}: ${expected}`, `${words('got')}: ${got}`].join(
    '\n',
  );
}

/** The app knows languages by Prism's names. */
function languageOf(name: string, language: string): string {
  return { '.md': 'markdown', '.json': 'json' }[path.extname(name)] ?? language;
}

// ---- clauses as tests

function testFilesOf({ lab, steps }: Validation): schema.TestFileDefinitionDictionary {
  return Object.fromEntries(
    steps.map(({ step }) => {
      const file = contractOf(lab, step);
      const name = path.posix.join('checks', lab, file);
      const source = textAt(path.join(placesOf(lab).checks, file));
      const tests = clausesOf(lab, step).map(({ id, statement }) => ({
        id: testId(lab, id),
        name: `${id} ${statement}`,
        location: { start: placeOfClause(id, source) },
      }));
      return [name, { source, tests }];
    }),
  );
}

function testId(lab: string, clause: string): string {
  return `${lab}/${clause}`;
}

/** The file of a step's clauses: its name begins with the step's number. */
function contractOf(lab: string, step: number): string {
  const head = `${String(step).padStart(2, '0')}-`;
  const name = readdirSync(placesOf(lab).checks).find(
    (file) => file.startsWith(head) && file.endsWith('.contract.ts'),
  );
  return name ?? head;
}

function placeOfClause(id: string, source: string): schema.Position {
  const lines = source.split('\n');
  const index = Math.max(
    0,
    lines.findIndex((line) => line.includes(`'${id} `)),
  );
  return { line: index + 1, column: (lines[index] ?? '').search(/\S|$/) + 1 };
}

function clausesOf(lab: string, step: number): readonly Clause<unknown>[] {
  return knownLab(lab).steps.find(({ number }) => number === step)?.clauses ?? [];
}

function textAt(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

// ---- Stryker's report

/** Both reports in one. Stryker numbers its mutants and tests: here its numbers bear its name. */
function merged(own: ElementsReport, stryker: ElementsReport): ElementsReport {
  const files = { ...own.files };
  for (const [name, file] of Object.entries(stryker.files)) {
    const known = files[name];
    if (known && known.source !== file.source) throw new SourceDiffers(staff.elements.differs(name));
    const mutants = file.mutants.map(renumbered);
    files[name] = known ? { ...known, mutants: [...known.mutants, ...mutants] } : { ...file, mutants };
  }
  const testFiles = { ...own.testFiles };
  for (const [name, file] of Object.entries(stryker.testFiles ?? {})) {
    const tests = file.tests.map((test) => ({ ...test, id: ofStryker(test.id) }));
    testFiles[name] = { ...file, tests: [...(testFiles[name]?.tests ?? []), ...tests] };
  }
  return { ...own, files, testFiles };
}

function renumbered(mutant: schema.MutantResult): schema.MutantResult {
  const { id, coveredBy, killedBy } = mutant;
  return {
    ...mutant,
    id: ofStryker(id),
    ...(coveredBy ? { coveredBy: coveredBy.map(ofStryker) } : {}),
    ...(killedBy ? { killedBy: killedBy.map(ofStryker) } : {}),
  };
}

function ofStryker(id: string): string {
  return `stryker/${id}`;
}

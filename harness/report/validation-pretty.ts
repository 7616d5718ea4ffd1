import pc from 'picocolors';
import { staff } from '../messages/staff.ts';
import {
  type BaselineResult,
  isAsItShouldBe,
  type MutantResult,
  type MutantStatus,
  type Validation,
} from '../mutation/validation.ts';

const texts = staff.validation;

/** Changes of a mutant that are shown: enough to find it. */
const mostChanges = 3;

/** For a person at a terminal: the baseline, how many mutants fared how, and all of those that fared wrong. */
export function prettyValidation(validation: Validation, coloured: boolean): string {
  const colours = pc.createColors(coloured);
  const { lab, baseline, mutants, seeds, verdict, seconds } = validation;
  const paint = { passed: colours.green, failed: colours.red, undecided: colours.yellow }[verdict];
  const killed = mutants.filter(({ status }) => status === 'killed').length;
  const wrong = mutants.filter((mutant) => !isAsItShouldBe(mutant));
  const parts = [
    baselineLines(baseline, seeds.length),
    tableOf(mutants),
    ...wrong.map((mutant) => wrongLines(mutant, seeds.length, colours)),
    ...reasonToStop(validation),
    [texts.summary(lab, paint(staff.verdicts[verdict]), killed, mutants.length, seconds)],
  ];
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}

/** Why no mutant was asked, where none was. */
function reasonToStop({ baseline, mutants }: Validation): readonly string[][] {
  const canaries = mutants.filter(({ origin }) => origin === 'canary');
  const verdicts = [
    ...baseline.map(({ verdict }) => verdict),
    ...canaries.map((canary) => (canary.status === 'undecided' ? 'undecided' : isAsItShouldBe(canary))),
  ];
  if (verdicts.includes('failed') || verdicts.includes(false)) return [[texts.notBelieved]];
  return verdicts.includes('undecided') ? [[texts.notJudged]] : [];
}

function baselineLines(baseline: readonly BaselineResult[], seeds: number): readonly string[] {
  const passed = baseline.filter(({ verdict }) => verdict === 'passed').length;
  const others = baseline.flatMap(({ name, failure, fault }) => {
    if (failure)
      return [`  ${texts.rejected(name, failure.clause, failure.seed, oneLine(failure.report.got))}`];
    return fault === undefined ? [] : [`  ${texts.unjudged(name, fault)}`];
  });
  return [texts.baseline(passed, baseline.length, seeds), ...others];
}

/** How many mutants fared how, by origin and language. */
function tableOf(mutants: readonly MutantResult[]): readonly string[] {
  const statuses = [...new Set(mutants.map(({ status }) => status))];
  const groupOf = ({ origin, language }: MutantResult) => texts.mutants(origin, language);
  const groups = [...new Set(mutants.map(groupOf))];
  const count = (group: string, status: MutantStatus) =>
    mutants.filter((mutant) => groupOf(mutant) === group && mutant.status === status).length;
  const width = Math.max(...groups.map(({ length }) => length));
  return [
    ['', ...statuses],
    ...groups.map((group) => [group, ...statuses.map((status) => String(count(group, status) || '-'))]),
  ].map(([group = '', ...cells]) =>
    [group.padEnd(width), ...cells.map((cell, index) => cell.padStart(statuses[index]?.length ?? 0))].join(
      '  ',
    ),
  );
}

/** All that is known of a mutant that is not what it should be. */
function wrongLines(
  { id, language, status, detail, step, clause, why, changes, killedOn, cells }: MutantResult,
  seeds: number,
  { bold, red, green, dim }: ReturnType<typeof pc.createColors>,
): readonly string[] {
  const due = clause ?? (step === null ? '' : String(step));
  const saw = cells.flatMap(({ failures }) =>
    failures.map(({ clause, report }) => texts.saw(clause, report.kind, oneLine(report.got))),
  );
  return [
    `${red('✗')} ${bold(texts.wrong(id, language, status))}${due ? dim(`  ${due}`) : ''}`,
    ...(detail ? [`  ${oneLine(detail)}`] : []),
    ...(seeds > 1 ? [`  ${texts.killedOn(killedOn, seeds)}`] : []),
    `  ${why}`,
    ...changes
      .slice(0, mostChanges)
      .flatMap(({ file, start, original, replacement }) => [
        `  ${dim(`${file}:${start.line}`)}`,
        ...marked('-', original).map((line) => `    ${red(line)}`),
        ...marked('+', replacement).map((line) => `    ${green(line)}`),
      ]),
    ...saw.map((line) => `  ${line}`),
  ];
}

function marked(mark: string, text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `${mark} ${line}`);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { judge } from '../harness/judge.ts';
import { type Base, referenceBase, writeSubmission } from '../harness/mutation/base.ts';
import { type Candidate, fromData } from '../harness/mutation/candidates.ts';
import { canaryOf, identityOf } from '../harness/mutation/controls.ts';
import { loadMutants, mutantsFolder, type ReferenceLanguage } from '../harness/mutation/mutants.ts';
import type { BaselineResult, MutantResult, Validation } from '../harness/mutation/validation.ts';
import { type AnyLab, knownLab } from '../harness/registry.ts';
import type { StepReport } from '../harness/report/report.ts';
import { openScratch, type Scratch } from '../harness/scratch.ts';
import { python3 } from './submissions.ts';

/*
 * A validation of a few mutants, each really judged: pages are looked at with failures as they come. One mutant survives,
 * as it is wrong only in name.
 */

const seed = 1;
const runs = 10;
/** Steps that are asked, the first ones. */
const asked = 4;

export async function smallValidation(): Promise<Validation> {
  const scratch = openScratch();
  try {
    return await judged(knownLab('idem-retention-lab'), scratch);
  } finally {
    scratch.remove();
  }
}

async function judged(lab: AnyLab, scratch: Scratch): Promise<Validation> {
  const started = performance.now();
  const steps = lab.steps.slice(0, asked).map(({ number, title }) => ({ step: number, title }));
  const judgeOf = async ({ base, edited }: Pick<Candidate, 'base' | 'edited'>) => {
    const folder = mkdtempSync(path.join(scratch.folder, 'mutant-'));
    const { entry } = writeSubmission(lab, base, edited, folder, python3);
    const { signal } = new AbortController();
    const unset = { budget: undefined, interpreter: undefined, onClause: () => {} };
    const reports: StepReport[] = [];
    for (const { step } of steps) {
      // One step at a time, as threads run built files only; none after the one that killed.
      const report = await judge({
        lab,
        place: entry,
        steps: [step],
        seed,
        runs,
        interrupted: signal,
        ...unset,
      });
      reports.push(...report.steps);
      if (report.verdict !== 'passed') break;
    }
    return reports;
  };
  const baseline: BaselineResult[] = [];
  const mutants: MutantResult[] = [];
  for (const language of ['python', 'typescript'] as const) {
    const base = referenceBase(lab, language);
    const passed = (await judgeOf({ base, edited: {} })).every(({ verdict }) => verdict === 'passed');
    baseline.push({ name: base.name, verdict: passed ? 'passed' : 'failed', passedOn: passed ? 1 : 0 });
    for (const candidate of candidates(lab, base, language)) {
      mutants.push(resultOf(candidate, await judgeOf(candidate)));
    }
  }
  const seconds = (performance.now() - started) / 1000;
  return {
    schemaVersion: 1,
    lab: lab.id,
    verdict: 'failed',
    seeds: [seed],
    seconds,
    steps,
    baseline,
    mutants,
  };
}

function candidates(lab: AnyLab, base: Base, language: ReferenceLanguage): readonly Candidate[] {
  const ids = language === 'python' ? ['fetch-at-expiry', 'reserve-or-replace'] : ['finish-again'];
  const mutants = loadMutants(mutantsFolder(lab.id)).filter(({ id }) => ids.includes(id));
  const harmless = { ...identityOf(base), origin: 'field', step: 2, clause: '2.1' } as const;
  return [...fromData(lab, mutants)(base), ...(language === 'python' ? [harmless, canaryOf(base)] : [])];
}

function resultOf(candidate: Candidate, steps: readonly StepReport[]): MutantResult {
  const { base, id, origin, step, clause, why, changes } = candidate;
  const cells = steps.map(({ step, verdict, clauses }) => ({
    step,
    verdict,
    failures: clauses.flatMap(({ id, failure }) => (failure ? [{ clause: id, report: failure }] : [])),
  }));
  const killed = cells.some(({ verdict }) => verdict === 'failed');
  return {
    ...{ id, origin, step, why, changes, ...(clause ? { clause } : {}) },
    language: base.language,
    status: killed ? 'killed' : 'survived',
    killedOn: killed ? 1 : 0,
    cells,
  };
}

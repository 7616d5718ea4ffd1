import type { Lab } from '../contract.ts';
import { faultSaid } from '../messages/faults.ts';
import { overall } from '../report/report.ts';
import type { Base, Edited } from './base.ts';
import type { Candidate } from './candidates.ts';
import { type Equivalent, means } from './equivalents.ts';
import { type Fate, fateOf, killerOf, type Observation, overSeeds, stepOf, type Target } from './fate.ts';
import type { ValidationOptions } from './validate.ts';
import type { BaselineResult, MatrixCell, MutantResult } from './validation.ts';

/** A submission, and what was observed of it: a seed each, in their order. */
export interface Trial {
  readonly base: Base;
  readonly edited: Edited;
  readonly observations: (Observation | undefined)[];
}

export interface MutantTrial extends Trial {
  readonly candidate: Candidate;
}

/** What is known of a submission that was not put to the test any more. */
const notObserved: Observation = {
  reports: [],
  ended: { status: 'undecided', detail: faultSaid('interrupted') },
};

/** What became of a submission that has to pass. */
export function baselineResult(
  name: string,
  observed: readonly (Observation | undefined)[],
  seeds: readonly number[],
): BaselineResult {
  const observations = seeds.map((_, index) => observed[index] ?? notObserved);
  const fates = observations.map((observation) => fateOf(observation, null));
  const passedOn = fates.filter(({ status }) => status === 'survived').length;
  const fault = fates.find(({ status }) => status === 'undecided')?.detail;
  for (const [index, { reports, ended }] of observations.entries()) {
    const { id, failure } = reports.find((report) => report.failure) ?? {};
    const seed = seeds[index] ?? 0;
    if (id && failure)
      return { name, verdict: 'failed', passedOn, failure: { clause: id, seed, report: failure } };
    if (ended && ended.status !== 'undecided')
      return { name, verdict: 'failed', passedOn, fault: ended.detail };
  }
  if (fault !== undefined) return { name, verdict: 'undecided', passedOn, fault };
  return { name, verdict: 'passed', passedOn };
}

/** What became of the mutants, and of the entries of the list of equivalents that mean none of them. */
export function mutantResults(
  { lab, seeds, equivalents, bases }: ValidationOptions,
  trials: readonly MutantTrial[],
): readonly MutantResult[] {
  const results = trials.map((trial) => {
    const entry = equivalents.find((each) => means(each, trial.candidate));
    return resultOf(lab, seeds, trial, entry);
  });
  const operators = trials.filter(({ candidate }) => candidate.origin === 'operator');
  if (operators.length === 0) return results;
  const languages = new Set(bases.map(({ language }) => language));
  const stale = equivalents
    .filter(({ language }) => languages.has(language))
    .filter((entry) => !operators.some(({ candidate }) => means(entry, candidate)));
  return [...results, ...stale.map(staleResult)];
}

function resultOf(
  lab: Lab,
  seeds: readonly number[],
  { candidate, observations: observed }: MutantTrial,
  equivalent: Equivalent | undefined,
): MutantResult {
  const { base, patches: _, edited: __, unfit, ...description } = candidate;
  const observations = seeds.map((_, index) => observed[index] ?? notObserved);
  const target: Target | null =
    candidate.step === null ? null : { step: candidate.step, clause: candidate.clause };
  const fates = observations.map((observation) => fateOf(observation, target));
  const killedOn = unfit ? 0 : fates.filter(({ status }) => status === 'killed').length;
  const killer = observations[0] && killerOf(observations[0]);
  const step = candidate.step ?? (killedOn > 0 && killer ? stepOf(killer) : null);
  const cells = cellsOf(lab, unfit ? [] : (observations[0]?.reports ?? []));
  const outcome = unfit ?? withEquivalent(statusOver(seeds, fates), equivalent);
  return { ...description, language: base.language, step, killedOn, cells, ...outcome };
}

type Outcome = Pick<MutantResult, 'status' | 'detail'>;

function statusOver(seeds: readonly number[], fates: readonly Fate[]): Outcome {
  const { flaky, ...fate } = overSeeds(fates);
  if (!flaky) return fate;
  const others = seeds.filter((_, index) => fates[index]?.status !== 'killed');
  return { status: 'flaky', detail: `${fate.status} on seed ${others.join(', ')}` };
}

function withEquivalent(outcome: Outcome, equivalent: Equivalent | undefined): Outcome {
  if (!equivalent || outcome.status === 'undecided') return outcome;
  if (outcome.status === 'survived') return { status: 'equivalent', detail: equivalent.reason };
  return { status: 'invalid', detail: `listed as equivalent, but ${outcome.status}; take it off the list` };
}

/** An entry of the list that means no mutant. */
function staleResult({ language, file, operator, context, reason }: Equivalent): MutantResult {
  return {
    ...{ id: `equivalent: ${context}`, language, origin: 'operator', operator, step: null, why: reason },
    status: 'invalid',
    detail: `no mutant of ${file} is meant; take the entry off the list`,
    ...{ changes: [], killedOn: 0, cells: [] },
  };
}

function cellsOf(lab: Lab, reports: Observation['reports']): readonly MatrixCell[] {
  return lab.steps.map(({ number }) => {
    const own = reports.filter(({ id }) => stepOf(id) === number);
    const failures = own.flatMap(({ id, failure }) => (failure ? [{ clause: id, report: failure }] : []));
    const verdict = overall(own.map(({ verdict }) => verdict));
    const cases = own.reduce((sum, report) => sum + report.cases, 0);
    return { step: number, verdict, cases, failures };
  });
}

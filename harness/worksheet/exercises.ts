import type { Step } from '../contract.ts';
import type { Texts } from '../messages/texts.ts';
import { type Base, referenceBase } from '../mutation/base.ts';
import { type Candidate, fromData } from '../mutation/candidates.ts';
import { loadMutants, type Mutant, mutantsFolder, type ReferenceLanguage } from '../mutation/mutants.ts';
import type { AnyLab } from '../registry.ts';

/** What a learner is asked: which case tells this change from correct code? */
export interface Exercise {
  readonly step: Step<unknown>;
  /** The wrong fragment in its place. */
  readonly candidate: Candidate;
  /** Why it is not in the place that was asked for. */
  readonly note?: string;
}

/**
 * An exercise for each of the steps. It is in the learner's own code where the fragment's place is found there once
 * and the code passes the step without it; else in the reference.
 */
export async function* exercises(
  lab: AnyLab,
  steps: readonly Step<unknown>[],
  own: Base | undefined,
  texts: Texts,
  passes: (step: number, base: Base) => Promise<boolean>,
): AsyncGenerator<Exercise> {
  const mutants = loadMutants(mutantsFolder(lab.id));
  for (const step of steps) {
    const mutant = askedAbout(step.number, mutants);
    if (!mutant) continue;
    const made = own && placed(lab, mutant, own, texts);
    if (!made) yield { step, candidate: inReference(lab, mutant, 'python', texts) };
    else if ('base' in made && (await passes(step.number, made.base))) yield { step, candidate: made };
    else {
      const note =
        'base' in made
          ? texts.say('worksheet', 'yoursFails', { step: step.number })
          : texts.say('worksheet', 'notInYours', { why: made.why.replace(/\s+/g, ' ') });
      yield { step, candidate: inReference(lab, mutant, own.language, texts), note };
    }
  }
}

/** The mutant that learners are asked about: that of the lab's worksheet, or else the step's first. */
function askedAbout(step: number, mutants: readonly Mutant[]): Mutant | undefined {
  const own = mutants.filter((mutant) => mutant.step === step);
  return own.find(({ origin }) => origin === 'worksheet') ?? own[0];
}

/** The mutant of the reference: of that in the learner's language where it is written in that. */
function inReference(lab: AnyLab, mutant: Mutant, wanted: ReferenceLanguage, texts: Texts): Candidate {
  const language = mutant.edits[wanted] ? wanted : 'python';
  const made = placed(lab, mutant, referenceBase(lab, language), texts);
  if (!('base' in made)) throw new RangeError(`${mutant.id}: ${made.why}`);
  return made;
}

/** The mutant of a base, or why there is none. */
function placed(lab: AnyLab, mutant: Mutant, base: Base, texts: Texts): Candidate | { readonly why: string } {
  const [candidate] = fromData(lab, [mutant])(base);
  if (!candidate) return { why: texts.say('worksheet', 'notInLanguage', { language: base.language }) };
  return candidate.unfit ? { why: candidate.unfit.detail } : candidate;
}

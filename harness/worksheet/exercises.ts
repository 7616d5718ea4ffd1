import type { Step } from '../contract.ts';
import type { Texts } from '../messages/texts.ts';
import { type Base, referenceBase } from '../mutation/base.ts';
import { type Candidate, fromData } from '../mutation/candidates.ts';
import {
  loadMutants,
  type Mutant,
  MutantFileError,
  mutantsFolder,
  type ReferenceLanguage,
} from '../mutation/mutants.ts';
import type { AnyLab } from '../registry.ts';
import { UsageError } from '../usage-error.ts';

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
  const mutants = mutantsOf(lab);
  for (const step of steps) {
    const mutant = askedAbout(step.number, mutants);
    if (!mutant) continue;
    const shown = own && (await inOwn(lab, mutant, own, texts, passes));
    if (typeof shown === 'object') yield { step, candidate: shown };
    else {
      const candidate = inReference(lab, mutant, own?.language);
      yield { step, candidate, ...(shown === undefined ? {} : { note: shown }) };
    }
  }
}

/** Throws a {@link UsageError} where the lab's mutants cannot be read. */
function mutantsOf(lab: AnyLab): readonly Mutant[] {
  const folder = mutantsFolder(lab.id);
  try {
    return loadMutants(folder);
  } catch (error) {
    if (error instanceof MutantFileError) throw new UsageError(`${folder}: ${error.message}`);
    throw error;
  }
}

/** The mutant that learners are asked about: that of the lab's worksheet, or else the step's first. */
export function askedAbout(step: number, mutants: readonly Mutant[]): Mutant | undefined {
  const own = mutants.filter((mutant) => mutant.step === step);
  return own.find(({ origin }) => origin === 'worksheet') ?? own[0];
}

/** The mutant of the learner's own code, or why that is not shown. */
async function inOwn(
  lab: AnyLab,
  mutant: Mutant,
  own: Base,
  texts: Texts,
  passes: (step: number, base: Base) => Promise<boolean>,
): Promise<Candidate | string> {
  const made = placed(lab, mutant, own);
  if (!made) return texts.say('worksheet', 'notInLanguage', { language: own.language });
  if (made.unfit) return texts.say('worksheet', 'notInYours');
  const { step } = mutant;
  return (await passes(step, own)) ? made : texts.say('worksheet', 'yoursFails', { step });
}

/** The mutant of the reference, in the learner's language where it is written in that. Throws a {@link UsageError} where it does not fit. */
function inReference(lab: AnyLab, mutant: Mutant, wanted: ReferenceLanguage = 'python'): Candidate {
  const [written = 'python'] = Object.keys(mutant.edits) as ReferenceLanguage[];
  const language = mutant.edits[wanted] ? wanted : written;
  const made = placed(lab, mutant, referenceBase(lab, language));
  if (made && !made.unfit) return made;
  throw new UsageError(
    `mutant ${mutant.id}: ${made?.unfit?.detail ?? `it is not written in ${language}`}; mend its file`,
  );
}

/** The mutant of a base, if it is written in its language. */
function placed(lab: AnyLab, mutant: Mutant, base: Base): Candidate | undefined {
  return fromData(lab, [mutant])(base)[0];
}

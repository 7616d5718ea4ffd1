import { exitCodes, interruption } from '../command-line.ts';
import { pythonNamed } from '../locate.ts';
import { faultSaid } from '../messages/faults.ts';
import { textsOf, tongueOfReader } from '../messages/texts.ts';
import { ownBase } from '../mutation/base.ts';
import type { AnyLab } from '../registry.ts';
import { readingAt } from '../report/pretty.ts';
import { openScratch } from '../scratch.ts';
import { UsageError } from '../usage-error.ts';
import { answerOf, passes } from './answer.ts';
import { type Exercise, exercises } from './exercises.ts';
import { Reader } from './reader.ts';
import { Telling } from './telling.ts';

export interface WorksheetFlags {
  readonly step?: number[];
  readonly submission?: string;
  readonly interpreter?: string;
  readonly reveal?: boolean;
  readonly lang?: string;
}

/** Asks, waits where there is somebody to wait for, and answers. Throws a {@link UsageError}. */
export async function session(lab: AnyLab, flags: WorksheetFlags): Promise<void> {
  const own = flags.submission === undefined ? undefined : ownBase(lab, flags.submission, '--submission');
  const interpreter = pythonFor(flags);
  const interrupted = interruption();
  const scratch = openScratch();
  const texts = textsOf(tongueOfReader(flags.lang, process.env));
  const reading = readingAt(process.stdout, texts);
  const workplace = { folder: scratch.folder, interpreter, interrupted, texts };
  const reader = new Reader(flags.reveal ?? false, texts, interrupted);
  const telling = new Telling(lab, reading);
  const answer = async (exercise: Exercise) => {
    const found = await answerOf(lab, exercise, workplace);
    if (found.status === 'undecided') process.exitCode = exitCodes.undecided;
    console.log(telling.answer(exercise, found));
  };
  try {
    const steps = lab.steps.filter(({ number }) => flags.step?.includes(number) ?? true);
    for await (const exercise of exercises(lab, steps, own, texts, (step, base) =>
      passes(lab, step, base, workplace),
    )) {
      console.log(telling.question(exercise));
      const wanted = await reader.wants();
      if (wanted === 'end') break;
      if (wanted === 'answer') await answer(exercise);
    }
    if (!reader.answers) console.log(texts.say('worksheet', 'howToReveal'));
  } finally {
    reader.close();
    scratch.remove();
  }
}

function pythonFor({ interpreter }: WorksheetFlags): string {
  const found = pythonNamed(interpreter);
  if (found) return found;
  throw new UsageError(faultSaid('noPython'));
}

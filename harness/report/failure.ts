import { Mismatch } from '../contract.ts';
import type { Language } from '../literal.ts';
import { staff } from '../messages/staff.ts';
import { CommandNarrator } from './commands.ts';
import { harmless } from './harmless.ts';
import type { FailedCase } from './narrate.ts';
import { Narrator, upToFailure } from './narrate.ts';
import type { FailureReport } from './report.ts';
import { reproducer } from './reproduce.ts';

/** What is known of the clause and the submission that a failure is told of. */
export interface Setting {
  readonly language: Language;
  /** The entry file. */
  readonly entry: string;
  /** Stands at the head of the script. */
  readonly title: string;
  readonly hint: string;
  /** The files of a submission of scripts, by the names that calls have for them. */
  readonly scripts: Readonly<Record<string, string>> | undefined;
}

type Told = Omit<FailureReport, 'hintKey' | 'seed' | 'path' | 'shrinks'>;

/** Tells a failing case in the submission's own notation. */
export function tellFailure(failed: FailedCase, setting: Setting): Told {
  const { language, entry, title, hint, scripts } = setting;
  const { reason } = failed;
  const trace = upToFailure(failed);
  const narrator = scripts ? new CommandNarrator(language, scripts) : new Narrator(language);
  const told = {
    given: narrator.given(trace).map(harmless),
    calls: narrator.calls(trace).map(harmless),
    reproduce:
      narrator instanceof CommandNarrator
        ? narrator.reproduce({ trace, reason }, title)
        : reproducer({ trace, reason }, entry, language, title),
  };
  if (reason instanceof Mismatch) {
    const { expected, seen } = reason;
    return {
      kind: 'contract',
      ...told,
      expected: harmless(narrator.expected(expected)),
      got: harmless(narrator.value(seen)),
      hint,
    };
  }
  const { kind, detail } = reason;
  return {
    kind,
    ...told,
    expected: staff.expectedInstead[kind],
    got: harmless(detail),
    hint: staff.hints[kind],
  };
}

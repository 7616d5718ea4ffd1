import type { AnyLab } from '../registry.ts';
import { type Base, type Edited, textOf } from './base.ts';
import { type Edit, EditError, type Mutant, type Patch, patched, placeEdits } from './mutants.ts';
import { changeOf } from './sql/places.ts';
import type { MutantResult, SourceChange } from './validation.ts';

/** A mutant that can be put to the test, wherever it comes from. */
export interface Candidate
  extends Pick<MutantResult, 'id' | 'origin' | 'operator' | 'step' | 'clause' | 'why' | 'changes'> {
  readonly base: Base;
  readonly patches: readonly FilePatch[];
  readonly edited: Edited;
  /** Why it cannot be put to the test after all. */
  readonly unfit?: { readonly status: 'invalid' | 'stillborn'; readonly detail: string };
}

/** Makes mutants of a base. */
export type CandidateSource = (base: Base) => readonly Candidate[];

/** A patch of one of the base's files. */
export interface FilePatch extends Patch {
  readonly file: string;
}

/** What a mutant says of itself, before it is made. */
type Description = Omit<Candidate, 'base' | 'patches' | 'edited' | 'changes' | 'unfit'>;

/** The mutants that are written down as edits. Those not made for the base's language are none of it. */
export function fromData(lab: AnyLab, mutants: readonly Mutant[]): CandidateSource {
  return (base) =>
    mutants.flatMap(({ edits, ...description }): Candidate[] => {
      const own = edits[base.language];
      if (!own) return [];
      if (!knows(lab, description)) {
        const detail = `${lab.id} has no step ${description.step} with a clause ${description.clause}`;
        return [invalid(description, base, detail)];
      }
      try {
        return [candidateOf(description, base, placeAll(base, own))];
      } catch (error) {
        if (error instanceof EditError) return [invalid(description, base, error.message)];
        throw error;
      }
    });
}

function knows(lab: AnyLab, { step, clause }: Description): boolean {
  const clauses = lab.steps.find(({ number }) => number === step)?.clauses ?? [];
  return clauses.some(({ id }) => id === clause);
}

function placeAll(base: Base, edits: readonly Edit[]): readonly FilePatch[] {
  const files = [...new Set(edits.map(({ file }) => file ?? base.entry))];
  return files.flatMap((file) => {
    const source = textOf(base, file);
    const own = edits.filter((edit) => (edit.file ?? base.entry) === file);
    if (source === undefined) throw new EditError('anchor gone', `there is no file ${file}`);
    return placeEdits(source, own).map((patch) => ({ file, ...patch }));
  });
}

/** The candidate that the patches make; those of a file are in its order. `invalid` where they change nothing. */
export function candidateOf(
  description: Description,
  base: Base,
  patches: readonly FilePatch[],
  stillborn?: string,
): Candidate {
  const files = [...new Set(patches.map(({ file }) => file))];
  const edited: Record<string, string> = {};
  const changes: SourceChange[] = [];
  for (const file of files) {
    const source = textOf(base, file) ?? '';
    const own = patches.filter((patch) => patch.file === file);
    edited[file] = patched(source, own);
    changes.push(...own.map((patch) => changeOf(source, patch)));
    if (edited[file] === source) return invalid(description, base, `nothing changes: ${file}`);
  }
  const unfit = stillborn ? { unfit: { status: 'stillborn', detail: stillborn } as const } : {};
  return { ...description, base, patches, edited, changes, ...unfit };
}

function invalid(description: Description, base: Base, detail: string): Candidate {
  return { ...description, base, patches: [], edited: {}, changes: [], unfit: { status: 'invalid', detail } };
}

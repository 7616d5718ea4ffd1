import path from 'node:path';
import { projectFile } from './project.ts';
import { outsideLabs } from './registry.ts';

/** The folders of a lab: of one of this project they lie apart, of any other in its own. */
export interface LabPlaces {
  /** Its contract files. */
  readonly checks: string;
  /** Correct submissions. */
  readonly reference: string;
  readonly mutants: string;
}

/** Absolute paths; not all of them need to exist. */
export function placesOf(lab: string): LabPlaces {
  const folder = outsideLabs().find(({ manifest }) => manifest.id === lab)?.folder;
  if (folder === undefined) {
    const [checks, reference, mutants] = ['checks', 'reference', 'mutants'].map((name) =>
      projectFile(path.join(name, lab)),
    ) as [string, string, string];
    return { checks, reference, mutants };
  }
  return { checks: folder, reference: path.join(folder, 'reference'), mutants: path.join(folder, 'mutants') };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { placesOf } from '../lab-places.ts';
import { languagesOf, referenceBase } from '../mutation/base.ts';
import type { ReferenceLanguage } from '../mutation/mutants.ts';
import type { AnyLab } from '../registry.ts';
import { type Files, writeNew } from './files.ts';
import { requireSources } from './ours.ts';

/** Lays out a copy of the reference, to be made unusual. Throws a {@link UsageError}. */
export function newVariant(name: string, lab: AnyLab, language: ReferenceLanguage | undefined): void {
  requireSources(lab);
  const base = referenceBase(lab, language ?? languagesOf(lab)[0] ?? 'python');
  const files: Files = Object.fromEntries(
    base.contracted.map((file) => [file, readFileSync(base.files[file] ?? '', 'utf8')]),
  );
  writeNew(path.join(placesOf(lab.id).reference, 'variants', name), files);
}

import { existsSync } from 'node:fs';
import type { Lab } from '../contract.ts';
import { labById } from '../registry.ts';
import { UsageError } from '../usage-error.ts';
import { templatesIn, writeNew } from './files.ts';

/** Lays out a small lab that works, in a folder of its name. Throws a {@link UsageError}. */
export function newLab(name: string, kind: Lab['kind']): void {
  if (labById(name)) throw new UsageError(`${name}: there is such a lab; choose another name`);
  if (existsSync(name)) throw new UsageError(`${name}: is there already; choose another name, or remove it`);
  writeNew(name, templatesIn(kind, { lab: name }));
}

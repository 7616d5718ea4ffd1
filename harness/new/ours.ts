import { existsSync } from 'node:fs';
import { projectFile } from '../project.ts';
import { type AnyLab, labs } from '../registry.ts';
import { UsageError } from '../usage-error.ts';

/** Whether the lab is one of this project. */
export function isOurs(lab: AnyLab): boolean {
  return labs.includes(lab);
}

/** Throws a {@link UsageError} where the lab is one of this project, of which only the build is here. */
export function requireSources(lab: AnyLab): void {
  if (!isOurs(lab) || existsSync(projectFile(`checks/${lab.id}/lab.ts`))) return;
  throw new UsageError(
    `--lab ${lab.id}: its sources are not installed; add to it in a checkout, or make a lab of your own by 'labcheck new lab NAME'`,
  );
}

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { placesOf } from '../lab-places.ts';
import { projectFile } from '../project.ts';
import type { AnyLab } from '../registry.ts';
import { UsageError } from '../usage-error.ts';
import { shown, template, writeNew } from './files.ts';
import { isOurs, requireSources } from './ours.ts';

/** Lays out the contract file of one step more. Throws a {@link UsageError}. */
export function newStep(name: string, lab: AnyLab): void {
  requireSources(lab);
  const number = lab.steps.length + 1;
  const values = { lab: lab.id, number: String(number), function: name.replaceAll('-', '_') };
  const text = template(`parts/${lab.kind}-step.template`, values);
  const head = String(number).padStart(2, '0');
  const file = `${head}-${name}.contract.ts`;
  const { checks } = placesOf(lab.id);
  requireNew(name, checks);
  if (!isOurs(lab)) {
    writeNew(checks, { [file]: text });
    return;
  }
  const vocabulary = path.relative(checks, projectFile('harness/vocabulary.ts'));
  writeNew(checks, { [file]: text.replace('idem-lab-checks/contract', vocabulary) });
  writeNew(checks, { [`${head}-contract.sh`]: template('parts/contract.sh.template', values) }, true);
  console.log(`Add it to \`steps\` in ${shown(path.join(checks, 'lab.ts'))}.`);
}

/** Throws a {@link UsageError} where a step has that name. */
function requireNew(name: string, folder: string): void {
  const taken = readdirSync(folder).find((file) => file.slice(3) === `${name}.contract.ts`);
  if (taken)
    throw new UsageError(
      `${shown(path.join(folder, taken))}: is there already; choose another name, or remove it`,
    );
}

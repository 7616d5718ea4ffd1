import idemRetentionLab from '../checks/idem-retention-lab/lab.ts';
import idemTransferLab from '../checks/idem-transfer-lab/lab.ts';
import type { Lab } from './contract.ts';
import type { Manifest } from './lab-manifest.ts';
import { UsageError } from './usage-error.ts';

/** A lab, whatever its clauses work with. */
// biome-ignore lint/suspicious/noExplicitAny: the two types match within a lab, and are not looked at outside it
export type AnyLab = Lab<any, any>;

/** A lab that is no part of this project, as it was read and compiled. Plain data: threads are told it. */
export interface OutsideLab {
  /** Where its contract files, its references and its mutants lie. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Its contract files as one module. */
  readonly code: string;
}

/** The labs of this project. This is the one place where the harness knows labs by name. */
export const labs: readonly AnyLab[] = [idemRetentionLab, idemTransferLab];

/** What the command line has added, in this thread. Threads look labs up by their ids: they are told these first. */
const added: { readonly outside: OutsideLab; readonly lab: AnyLab }[] = [];

/** All labs: those of this project, then the others. */
export function allLabs(): readonly AnyLab[] {
  return [...labs, ...added.map(({ lab }) => lab)];
}

export function labById(id: string): AnyLab | undefined {
  return allLabs().find((lab) => lab.id === id);
}

/** The lab of an id that is not a user's: throws a RangeError where there is none. */
export function knownLab(id: string): AnyLab {
  const lab = labById(id);
  if (!lab) throw new RangeError(`no lab ${id}`);
  return lab;
}

/** Throws a {@link UsageError} where there is a lab of that id. */
export function addOutsideLab(outside: OutsideLab, lab: AnyLab): void {
  if (labById(lab.id)) throw new UsageError(`--lab-dir: there are two labs '${lab.id}'; choose another id`);
  added.push({ outside, lab });
}

export function outsideLabs(): readonly OutsideLab[] {
  return added.map(({ outside }) => outside);
}

import idemRetentionLab from '../checks/idem-retention-lab/lab.ts';
import idemTransferLab from '../checks/idem-transfer-lab/lab.ts';
import type { Lab } from './contract.ts';

/** A lab, whatever its clauses work with. */
// biome-ignore lint/suspicious/noExplicitAny: the two types match within a lab, and are not looked at outside it
export type AnyLab = Lab<any, any>;

/** The one place where the harness knows labs by name. */
export const labs: readonly AnyLab[] = [idemRetentionLab, idemTransferLab];

export function labById(id: string): AnyLab | undefined {
  return labs.find((lab) => lab.id === id);
}

/** The lab of an id that is not a user's: throws a RangeError where there is none. */
export function knownLab(id: string): AnyLab {
  const lab = labById(id);
  if (!lab) throw new RangeError(`no lab ${id}`);
  return lab;
}

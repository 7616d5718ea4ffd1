import type { ClassEntry } from './class.ts';
import type { FailureReport } from './report.ts';

/* What the failures of a class have in common. */

/** A clause that a submission failed. */
export interface Seen {
  readonly name: string;
  readonly clause: string;
  readonly failure: FailureReport;
}

/** Submissions that fail the same clauses in the same way. */
export interface Group {
  readonly names: readonly string[];
  readonly failures: readonly Seen[];
}

export function failuresOf(entries: readonly ClassEntry[]): readonly Seen[] {
  return entries.flatMap(({ name, report }) =>
    report.steps
      .flatMap(({ clauses }) => clauses)
      .flatMap(({ id, failure }) => (failure ? [{ name, clause: id, failure }] : [])),
  );
}

/**
 * The one with the fewest rows and calls; of these the shortest, then the first by name: the same every time. One with a case
 * goes before one that could not be asked.
 */
export function smallest(seen: readonly Seen[]): Seen | undefined {
  return [...seen].sort((a, b) => {
    const [one, other] = [sizeOf(a), sizeOf(b)];
    const told = Number(a.failure.path === null) - Number(b.failure.path === null);
    return told || one.lines - other.lines || one.characters - other.characters || (a.name < b.name ? -1 : 1);
  })[0];
}

function sizeOf({ failure: { given, calls, got } }: Seen): { lines: number; characters: number } {
  return { lines: given.length + calls.length, characters: [...given, ...calls, got].join('').length };
}

/** The largest group first. Two fail alike where they fail the same clauses, each for a cause of the same name, or of the same kind. */
export function groupsAlike(entries: readonly ClassEntry[]): readonly Group[] {
  const groups = new Map<string, { names: string[]; failures: Seen[] }>();
  for (const entry of entries) {
    const failures = failuresOf([entry]);
    if (failures.length === 0) continue;
    const way = failures
      .map(({ clause, failure }) => `${clause} ${failure.hintKey ?? failure.kind}`)
      .join('\n');
    const group = groups.get(way) ?? { names: [], failures: [] };
    group.names.push(entry.name);
    group.failures.push(...failures);
    groups.set(way, group);
  }
  return [...groups.values()].sort((a, b) => b.names.length - a.names.length);
}

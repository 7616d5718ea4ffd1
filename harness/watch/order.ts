import path from 'node:path';
import { functionName } from '../literal.ts';
import type { AnyLab } from '../registry.ts';
import { scriptName } from '../subject/scripts.ts';
import { changedFunctions } from './functions.ts';
import { changedFiles, type Snapshot } from './snapshot.ts';

/** What a save touched. */
export interface Touch {
  readonly files: readonly string[];
  /** Names of functions, where nothing else is another. */
  readonly functions: readonly string[];
  /** Numbers of the steps that it concerns. */
  readonly steps: ReadonlySet<number>;
}

/** `entry` is the path of the entry file in the folder. */
export function touchOf(lab: AnyLab, entry: string, before: Snapshot, after: Snapshot): Touch {
  const files = changedFiles(before, after);
  if (lab.kind === 'scripts')
    return { files, functions: [], steps: new Set(files.flatMap((file) => stepsOfFile(lab, file))) };
  const [old, now] = [before.get(entry), after.get(entry)];
  const isEntryAlone = files.length === 1 && files[0] === entry && old !== undefined && now !== undefined;
  const functions = (isEntryAlone ? changedFunctions(entry, old, now) : undefined) ?? [];
  const language = entry.endsWith('.py') ? 'python' : 'javascript';
  const own = functions.map(
    (name) => lab.steps.find(({ title }) => functionName(title, language) === name)?.number,
  );
  const known = own.filter((step) => step !== undefined);
  const isAll = known.length === 0 || known.length < own.length; // a helper may concern any of them
  return { files, functions, steps: new Set(isAll ? allOf(lab) : known) };
}

/** The steps that judge what a script makes; those that run the command; all, where it may be either. */
function stepsOfFile(lab: AnyLab, file: string): readonly number[] {
  const name = scriptName(file);
  const products = Object.entries(lab.products ?? {});
  const making = products.filter(([, { script, makes }]) => script === name || makes.includes(file));
  if (making.length > 0) return making.map(([step]) => Number(step));
  const isEntry = path.dirname(file) === '.' && name === lab.entry;
  return isEntry ? allOf(lab).filter((step) => !lab.products?.[step]) : allOf(lab);
}

function allOf(lab: AnyLab): readonly number[] {
  return lab.steps.map(({ number }) => number);
}

/**
 * Groups of steps to judge one after the other: first the one that the reader waits for most, alone; then those that failed
 * or were touched; then all others.
 */
export function groupsOf(
  steps: readonly number[],
  failed: ReadonlySet<number>,
  touched: ReadonlySet<number>,
): readonly (readonly number[])[] {
  const urgency = (step: number) => (failed.has(step) ? 2 : 0) + (touched.has(step) ? 1 : 0);
  const [first, ...others] = [...steps].sort((a, b) => urgency(b) - urgency(a) || a - b);
  const groups = [3, 2, 1, 0].map((urgent) => others.filter((step) => urgency(step) === urgent));
  return [...(first === undefined ? [] : [[first]]), ...groups].filter((group) => group.length > 0);
}

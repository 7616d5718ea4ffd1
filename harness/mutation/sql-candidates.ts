import { type Base, textOf } from './base.ts';
import { type CandidateSource, candidateOf } from './candidates.ts';
import { sqlMutants } from './sql/mutants.ts';

/** The mutants that operators make of the SQL in a base's files. Any step may catch them. */
export const fromOperators: CandidateSource = (base) =>
  sqlMutants(textsOf(base)).map(({ changes, stillborn, ...description }) =>
    candidateOf({ ...description, origin: 'operator', step: null }, base, changes, stillborn),
  );

const sources = /\.(?:py|m?[jt]s|sql)$/;

function textsOf(base: Base): Readonly<Record<string, string>> {
  const names = base.contracted.filter((file) => sources.test(file));
  return Object.fromEntries(names.map((file) => [file, textOf(base, file) ?? '']));
}

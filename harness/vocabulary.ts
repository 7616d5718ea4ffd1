/**
 * What a contract file of a lab is written with: `idem-lab-checks/contract`. A lab outside this project shares these very
 * modules with the grader that loads it, so that a {@link Mismatch} it throws is one here.
 */
export type {
  Bench,
  Called,
  Event,
  Executed,
  Laid,
  Looked,
  Queried,
  Row,
  Written,
} from './bench.ts';
export {
  type Clause,
  type ClauseOptions,
  clause,
  defaultCases,
  defaultMinimum,
  expectSame,
  heldCases,
  type Lab,
  Mismatch,
  type Product,
  type Step,
  step,
} from './contract.ts';
export { DatabaseImage, hasLog } from './database-image.ts';
export { Anything, JsonOf, OneOf, Refusal, seen, Through, Thrown } from './expectation.ts';
export { openForeign } from './foreign-database.ts';
export { fromJson, type Spelling, toJson } from './json.ts';
export { type Language, sqlText } from './literal.ts';
export {
  type Call,
  type Held,
  Inconclusive,
  type Outcome,
  type Raised,
  type Statement,
  SubjectFailure,
  type SubjectFailureKind,
} from './subject/subject.ts';
export {
  type Dict,
  dict,
  isDict,
  isList,
  Opaque,
  Special,
  same,
  Tuple,
  type Value,
  withOneNumberType,
} from './value.ts';

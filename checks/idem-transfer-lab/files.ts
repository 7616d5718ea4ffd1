import type { Bench } from '../../harness/bench.ts';
import { fromJson } from '../../harness/json.ts';
import { endSaid } from '../../harness/messages/faults.ts';
import { SubjectFailure } from '../../harness/subject/subject.ts';
import { isList, type Tuple, type Value } from '../../harness/value.ts';

/** The value of a JSON file of the submission. Throws a {@link SubjectFailure} where it is not there or no JSON. */
export function readJson(bench: Bench, name: string): Value {
  const text = bench.submittedText(name);
  try {
    return fromJson(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new SubjectFailure('load', endSaid('notJson', { file: name, reason: (error as Error).message }));
  }
}

/** The rows of a query on a database of the submission, in a copy. Throws where it cannot be read. */
export function rowsOf(bench: Bench, name: string, sql: string): readonly (readonly Value[])[] {
  const { seen } = bench.query(bench.submittedDatabase(name), sql);
  if (!isList(seen))
    throw new SubjectFailure('load', `${name}: ${String((seen as { text?: string } | null)?.text)}`);
  return seen.map((row) => (row as Tuple).items);
}

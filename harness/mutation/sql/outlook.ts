import { edited, type SqlEdit } from './edits.ts';
import { Schema } from './schema.ts';
import { isDefinition, type Statement, type Submission } from './statements.ts';
import { parameterCount, parametersOf, parseStatements, tokensOf } from './syntax.ts';

/** What can be said of a mutant without running it. */
export type Outlook =
  /** Mutants of one statement that are the same program are one; undefined where SQLite shows none. */
  | { readonly status: 'fit'; readonly program: string | undefined }
  /** SQLite, or the driver, refuses it before it does anything. */
  | { readonly status: 'stillborn'; readonly reason: string }
  /** It is the same program as before. */
  | { readonly status: 'equivalent' };

/** Judges mutated statements of one submission by SQLite itself. Close it after use. */
export class Judge {
  readonly #submission: Submission;
  readonly schema: Schema;

  constructor(submission: Submission) {
    this.#submission = submission;
    this.schema = new Schema(submission.definitions);
  }

  close(): void {
    this.schema.close();
  }

  outlook(statement: Statement, edits: readonly SqlEdit[]): Outlook {
    const mutated = edited(statement.sql, edits);
    if (sameTokens(statement.sql, mutated)) return { status: 'equivalent' };
    const parsed = parseStatements(mutated);
    if (!parsed && !statement.prepares)
      return { status: 'stillborn', reason: 'not in the grammar of SQLite' };
    if (statement.prepares) {
      const reason = isDefinition(statement.tree)
        ? this.#complaintAboutSchema(statement, mutated)
        : this.schema.complaintAbout(mutated);
      if (reason !== undefined) return { status: 'stillborn', reason };
    }
    const [bound, wanted] = [parameterCount(statement.sql), parameterCount(mutated)];
    if (bound !== wanted)
      return {
        status: 'stillborn',
        reason: `the driver refuses it: ${bound} parameters are bound, it has ${wanted}`,
      };
    const program = this.#programOf(statement, mutated);
    const isSame = program !== undefined && program === this.#programOf(statement, statement.sql);
    return isSame ? { status: 'equivalent' } : { status: 'fit', program };
  }

  /**
   * What SQLite says against a definition, or in its schema against the other statements. That a table exists is no
   * matter: a submission may create it in two databases.
   */
  #complaintAboutSchema({ sql }: Statement, mutated: string): string | undefined {
    const { definitions, statements } = this.#submission;
    const schema = new Schema([mutated, ...definitions.filter((definition) => definition !== sql)]);
    try {
      const refusal = schema.refused.get(mutated);
      if (refusal !== undefined && !refusal.endsWith('already exists')) return refusal;
      const others = statements.filter(({ prepares, tree }) => prepares && !isDefinition(tree));
      return others
        .map((other) => schema.complaintAbout(other.sql))
        .find((complaint) => complaint !== undefined);
    } finally {
      schema.close();
    }
  }

  /**
   * Trivial compiler equivalence (Papadakis, Jia, Harman and Le Traon, ICSE 2015): what is the same bytecode, for the
   * same parameters and with the same names of columns, is the same program. Of a CREATE bytecode says nothing, and
   * of a DROP it says what is true of the schema only.
   */
  #programOf({ tree, prepares }: Statement, sql: string): string | undefined {
    if (!prepares || isDefinition(tree) || tree.type.startsWith('Drop')) return undefined;
    const bytecode = this.schema.programOf(sql);
    return bytecode && `${parametersOf(sql).join()} ${bytecode}`;
  }
}

function sameTokens(a: string, b: string): boolean {
  const [first, second] = [tokensOf(a), tokensOf(b)].map((tokens) =>
    JSON.stringify(tokens.map(({ text }) => text)),
  );
  return first === second;
}

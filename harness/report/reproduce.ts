import path from 'node:path';
import stringWidth from 'string-width';
import { type Called, type Event, insertion, type Queried } from '../bench.ts';
import { Mismatch } from '../contract.ts';
import { functionName, type Language, literal } from '../literal.ts';
import type { KeyOf, Texts } from '../messages/texts.ts';
import { sqliteModule } from '../project.ts';
import type { Statement } from '../subject/subject.ts';
import type { Value } from '../value.ts';
import { type FailedCase, isLookedAt, Narrator } from './narrate.ts';

/**
 * A script in the submission's language that does what the case did, with nothing but the submission and SQLite.
 * It exits with 1 as long as the contract is broken; where a call does not come back, it does not get to its end.
 */
export function reproducer(
  failed: FailedCase,
  entry: string,
  language: Language,
  title: string,
  texts: Texts,
): string {
  const writer = language === 'python' ? new PythonScript(texts) : new JavaScriptScript(texts);
  return writer.script(failed, entry, title);
}

/** The parts of a script; what they look like is the language's. */
abstract class Script {
  protected abstract readonly language: Language;
  protected readonly narrator: Narrator;
  readonly #texts: Texts;

  constructor(language: Language, texts: Texts) {
    this.narrator = new Narrator(language);
    this.#texts = texts;
  }

  script({ trace, reason }: FailedCase, entry: string, title: string): string {
    const elsewhere = trace.some((event) => event.kind === 'call' && (event.call.process > 0 || event.held));
    const body = trace.flatMap((event) => this.#event(event, isLookedAt(event, reason)));
    if (reason instanceof Mismatch) {
      if (reason.rowsBy) body.push(...this.alsoRows(reason.rowsBy));
      body.push(...this.verdict(this.show(reason.expected)));
    } else body.push(this.ending(this.show(this.say('allBack'))));
    const text = body.join('\n');
    const comments = [title, this.say(reason instanceof Mismatch ? 'exits' : 'ends')];
    return `${[...this.head(entry, comments, text, elsewhere), ...this.databases(), ...body].join('\n')}\n`;
  }

  protected telling(key: KeyOf<'telling'>): string {
    return this.#texts.say('telling', key);
  }

  protected say(key: KeyOf<'script'>): string {
    return this.#texts.say('script', key);
  }

  /** What stands before a value that is printed: the labels of both, with the values below one another. */
  protected labels(): { readonly expected: string; readonly got: string } {
    const [expected, got] = [this.#texts.say('terminal', 'expected'), this.#texts.say('terminal', 'got')];
    const widest = Math.max(stringWidth(expected), stringWidth(got));
    const label = (text: string) => this.show(`${text}:${' '.repeat(widest - stringWidth(text))}`);
    return { expected: label(expected), got: label(got) };
  }

  protected show(value: Value): string {
    return literal(value, this.language);
  }

  #event(event: Event, last: boolean): string[] {
    switch (event.kind) {
      case 'lay':
        if (event.rows.length === 0) return [];
        return this.transaction(
          event.database,
          event.rows.map((row) => insertion(event.table, row)),
          last,
        );
      case 'execute':
        return this.transaction(event.database, event.statements, last);
      case 'call':
        return event.held ? this.held(event, event.held.statements) : this.call(event, last);
      case 'query':
        return this.query(event);
      case 'write':
      case 'look':
        return []; // only submissions of scripts have files
    }
  }

  protected abstract head(
    entry: string,
    comments: readonly string[],
    body: string,
    elsewhere: boolean,
  ): string[];
  protected abstract databases(): string[];
  protected abstract transaction(database: string, statements: readonly Statement[], last: boolean): string[];
  protected abstract call(event: Called, last: boolean): string[];
  protected abstract held(event: Called, statements: readonly Statement[]): string[];
  protected abstract query(event: Queried): string[];
  protected abstract alsoRows(sql: string): string[];
  protected abstract verdict(expected: string): string[];
  protected abstract ending(text: string): string;
}

class PythonScript extends Script {
  protected readonly language = 'python';

  constructor(texts: Texts) {
    super('python', texts);
  }

  protected head(entry: string, comments: readonly string[], body: string, elsewhere: boolean): string[] {
    const module = path.basename(entry, path.extname(entry));
    const uses = (name: string) => new RegExp(`\\b${name}\\(`).test(body);
    const modules = [
      'os',
      'sqlite3',
      'sys',
      'tempfile',
      ...(uses('Json') ? ['json'] : []),
      ...(uses('sleep') ? ['time'] : []),
    ];
    return [
      ...comments.map((comment) => `# ${comment}`),
      `import ${modules.sort().join(', ')}`,
      ...(elsewhere
        ? ['from concurrent.futures import ProcessPoolExecutor', 'from multiprocessing import get_context']
        : []),
      '',
      'sys.dont_write_bytecode = True',
      `sys.path.insert(0, ${this.show(path.dirname(entry))})`,
      module === 'service' ? 'import service' : `import ${module} as service`,
      '',
      ...this.#terms()
        .filter(([name]) => uses(name))
        .flatMap(([, source]) => [source, '']),
      ...(uses('same') ? [pythonSame(uses, this.say('same')), ''] : []),
      ...(elsewhere
        ? [
            `# ${this.say('secondProcess')}`,
            "other = ProcessPoolExecutor(1, get_context('fork'))",
            'other.submit(int).result()',
            '',
          ]
        : []),
    ];
  }

  protected databases(): string[] {
    return this.narrator.databases.flatMap((name) => [
      `${name} = os.path.join(tempfile.mkdtemp(), 'keys.db')`,
      `${connection(name)} = sqlite3.connect(${name}, isolation_level=None, timeout=0)  # ${this.say('ownConnection')}`,
    ]);
  }

  protected transaction(database: string, statements: readonly Statement[], last: boolean): string[] {
    const db = connection(this.narrator.database(database));
    const lines = statements.map((statement) => this.#execute(db, statement));
    if (!last) return lines;
    const tried = [`${db}.execute('BEGIN IMMEDIATE')`, ...lines].map((line) => `    ${line},`);
    return ['got = attempt(lambda: [', ...tried, '])'];
  }

  #execute(db: string, { sql, parameters }: Statement): string {
    const given =
      parameters.length > 0 ? `, [${parameters.map((value) => this.show(value)).join(', ')}]` : '';
    return `${db}.execute(${pythonText(sql)}${given})`;
  }

  #called(event: Called): { name: string; args: string } {
    return { name: `service.${event.call.name}`, args: this.narrator.args(event).join(', ') };
  }

  protected call(event: Called, last: boolean): string[] {
    const { name, args } = this.#called(event);
    const made = event.call.process > 0 ? `other.submit(${name}, ${args}).result()` : `${name}(${args})`;
    if (last) return [`got = attempt(lambda: ${made})`];
    return [event.outcome?.status === 'raised' ? `attempt(lambda: ${made})` : made];
  }

  protected held(event: Called, statements: readonly Statement[]): string[] {
    const { name, args } = this.#called(event);
    const db = connection(this.narrator.database(event.held?.database ?? ''));
    return [
      `${db}.execute('BEGIN IMMEDIATE')`,
      `call = other.submit(${name}, ${args})`,
      `time.sleep(0.3)  # ${this.say('waiting')}`,
      ...statements.map((statement) => this.#execute(db, statement)),
      `${db}.execute('COMMIT')`,
      'got = attempt(call.result)',
    ];
  }

  protected query(event: Queried): string[] {
    const db = connection(this.narrator.database(event.database));
    return [`got = attempt(lambda: ${db}.execute(${pythonText(event.sql)}).fetchall())`];
  }

  protected alsoRows(sql: string): string[] {
    return [`got = (got, db.execute(${pythonText(sql)}).fetchall())`];
  }

  protected verdict(expected: string): string[] {
    const labels = this.labels();
    return [
      `expected = ${expected}`,
      `print(${labels.expected}, repr(expected))`,
      `print(${labels.got}, repr(got))`,
      'sys.exit(0 if same(got, expected) else 1)',
    ];
  }

  protected ending(text: string): string {
    return `print(${text})`;
  }

  /** What stands for more than one value, and how an exception becomes a value. */
  #terms(): readonly (readonly [string, string])[] {
    return [
      ['Json', pythonTerm('Json', this.say('json'))],
      ['Refusal', pythonTerm('Refusal', this.telling('refusal'))],
      ['Anything', pythonTerm('Anything', this.telling('anything'))],
      ['OneOf', pythonTerm('OneOf', this.say('oneOf'))],
      ['Through', pythonTerm('Through', this.say('through'))],
      ['attempt', pythonAttempt],
    ];
  }
}

/** `db` is the grader's connection to `path`, `db2` that to `path2`. */
function connection(database: string): string {
  return database.replace('path', 'db');
}

function pythonText(sql: string): string {
  return sql.includes('\n') ? `"""${sql}"""` : `"${sql.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function pythonTerm(name: string, meaning: string): string {
  return `class ${name}(tuple):  # ${meaning}
    def __new__(cls, *items): return tuple.__new__(cls, items)
    def __repr__(self): return '${name}' + tuple.__repr__(self)`;
}

const pythonAttempt = `def attempt(call):
    try:
        return call()
    except BaseException as error:
        return error`;

/** Python's == takes True for 1, and 1 for 1.0, which the comment says. */
function pythonSame(uses: (name: string) => boolean, comment: string): string {
  const cases: [string, string][] = [
    ['Json', '    if isinstance(b, Json): return isinstance(a, str) and same(json.loads(a), b[0])'],
    [
      'Refusal',
      '    if isinstance(b, Refusal): return isinstance(a, BaseException) and not isinstance(a, sqlite3.Error)',
    ],
    ['Anything', '    if isinstance(b, Anything): return not isinstance(a, BaseException)'],
    ['OneOf', '    if isinstance(b, OneOf): return any(same(a, item) for item in b)'],
    [
      'Through',
      '    if isinstance(b, Through):\n        seen = iter(a)\n        return all(any(same(item, next) for item in seen) for next in b)',
    ],
  ];
  return [
    `def same(a, b):  # ${comment}`,
    ...cases.filter(([name]) => uses(name)).map(([, source]) => source),
    '    if isinstance(a, dict) and isinstance(b, dict):',
    '        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)',
    '    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):',
    '        return isinstance(a, list) == isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))',
    '    return a == b and isinstance(a, bool) == isinstance(b, bool) and isinstance(a, float) == isinstance(b, float)',
  ].join('\n');
}

class JavaScriptScript extends Script {
  protected readonly language = 'javascript';

  constructor(texts: Texts) {
    super('javascript', texts);
  }

  protected head(entry: string, comments: readonly string[]): string[] {
    return [
      ...[...comments, this.say('node')].map((comment) => `// ${comment}`),
      "import { mkdtempSync } from 'node:fs';",
      "import { tmpdir } from 'node:os';",
      `import Database from ${this.show(sqliteModule())};`,
      `import * as service from ${this.show(entry)};`,
      '',
      javaScriptTerms,
    ];
  }

  protected databases(): string[] {
    return this.narrator.databases.flatMap((name) => [
      `const ${name} = mkdtempSync(\`\${tmpdir()}/keys-\`) + '/keys.db';`,
      `const ${connection(name)} = new Database(${name}, { timeout: 0 }); // ${this.say('ownConnection')}`,
    ]);
  }

  protected transaction(database: string, statements: readonly Statement[], last: boolean): string[] {
    const db = connection(this.narrator.database(database));
    const lines = statements.map((statement) => this.#execute(db, statement));
    if (!last) return lines;
    return [
      'const got = await attempt(() => {',
      `  ${db}.exec('BEGIN IMMEDIATE');`,
      ...lines.map((line) => `  ${line}`),
      '});',
    ];
  }

  #execute(db: string, { sql, parameters }: Statement): string {
    return `${db}.prepare(\`${sql}\`).run(${parameters.map((value) => this.show(value)).join(', ')});`;
  }

  protected call(event: Called, last: boolean): string[] {
    const args = this.narrator.args(event).join(', ');
    const attempt = `await attempt(() => service.${functionName(event.call.name, 'javascript')}(${args}))`;
    const where = event.call.process > 0 ? ` // ${this.say('elsewhere')}` : '';
    return [`${last ? 'const got = ' : ''}${attempt};${where}`];
  }

  protected held(event: Called, statements: readonly Statement[]): string[] {
    const db = connection(this.narrator.database(event.held?.database ?? ''));
    return [
      `// ${this.say('held')}`,
      ...statements.map((statement) => `// ${this.#execute(db, statement)}`),
      ...this.call(event, true),
    ];
  }

  protected query(event: Queried): string[] {
    const db = connection(this.narrator.database(event.database));
    return [`const got = await attempt(() => ${db}.prepare(\`${event.sql}\`).raw().all());`];
  }

  protected alsoRows(sql: string): string[] {
    return [`console.log(${this.show(`${this.say('rows')}:`)}, db.prepare(\`${sql}\`).raw().all());`];
  }

  protected verdict(expected: string): string[] {
    const labels = this.labels();
    return [
      `const expected = ${expected};`,
      `console.log(${labels.expected}, expected);`,
      `console.log(${labels.got}, got);`,
      'process.exit(same(got, expected) ? 0 : 1);',
    ];
  }

  protected ending(text: string): string {
    return `console.log(${text});`;
  }
}

const javaScriptTerms = `const term = (name) => (...items) => ({ term: name, items });
const [Json, Refusal, Anything, OneOf, Through] = ['Json', 'Refusal', 'Anything', 'OneOf', 'Through'].map(term);
async function attempt(call) {
  try { return (await call()) ?? null; } catch (error) { return error instanceof Error ? error : new Error(error); }
}
function same(a, b) {
  if (b?.term === 'Json') return typeof a === 'string' && same(JSON.parse(a), b.items[0]);
  if (b?.term === 'Refusal') return a instanceof Error && a.name !== 'SqliteError';
  if (b?.term === 'Anything') return !(a instanceof Error);
  if (b?.term === 'OneOf') return b.items.some((item) => same(a, item));
  if (b?.term === 'Through') return a.reduce((next, item) => next + same(item, b.items[next]), 0) === b.items.length;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return a === b;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => same(a[name], b[name]));
}
`;

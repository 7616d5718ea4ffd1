import path from 'node:path';
import { type Called, type Event, insertion, type Queried } from '../bench.ts';
import { Mismatch } from '../contract.ts';
import { functionName, type Language, literal } from '../literal.ts';
import { sqliteModule } from '../project.ts';
import { type Statement, SubjectFailure } from '../subject/subject.ts';
import type { Value } from '../value.ts';
import { type FailedCase, isLookedAt, Narrator } from './narrate.ts';

/**
 * A script in the submission's language that does what the case did, with nothing but the submission and SQLite.
 * It exits with 1 as long as the contract is broken.
 */
export function reproducer(failed: FailedCase, entry: string, language: Language, title: string): string {
  if (failed.reason instanceof SubjectFailure && failed.reason.kind === 'load') return '';
  const writer = language === 'python' ? new PythonScript() : new JavaScriptScript();
  return writer.script(failed, entry, title);
}

/** The parts of a script; what they look like is the language's. */
abstract class Script {
  protected abstract readonly language: Language;
  protected readonly narrator: Narrator;

  constructor(language: Language) {
    this.narrator = new Narrator(language);
  }

  script({ trace, reason }: FailedCase, entry: string, title: string): string {
    const elsewhere = trace.some((event) => event.kind === 'call' && (event.call.process > 0 || event.held));
    const body = trace.flatMap((event) => this.#event(event, isLookedAt(event, reason)));
    if (reason instanceof Mismatch) {
      if (reason.rowsBy) body.push(...this.alsoRows(reason.rowsBy));
      body.push(...this.verdict(this.show(reason.expected)));
    }
    const text = body.join('\n');
    return `${[...this.head(entry, title, text, elsewhere), ...this.databases(), ...body].join('\n')}\n`;
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

  protected abstract head(entry: string, title: string, body: string, elsewhere: boolean): string[];
  protected abstract databases(): string[];
  protected abstract transaction(database: string, statements: readonly Statement[], last: boolean): string[];
  protected abstract call(event: Called, last: boolean): string[];
  protected abstract held(event: Called, statements: readonly Statement[]): string[];
  protected abstract query(event: Queried): string[];
  protected abstract alsoRows(sql: string): string[];
  protected abstract verdict(expected: string): string[];
}

class PythonScript extends Script {
  protected readonly language = 'python';

  constructor() {
    super('python');
  }

  protected head(entry: string, title: string, body: string, elsewhere: boolean): string[] {
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
      `# ${title}`,
      '# Exits with 1 as long as this happens, with 0 once it is mended.',
      `import ${modules.sort().join(', ')}`,
      ...(elsewhere
        ? ['from concurrent.futures import ProcessPoolExecutor', 'from multiprocessing import get_context']
        : []),
      '',
      'sys.dont_write_bytecode = True',
      `sys.path.insert(0, ${this.show(path.dirname(entry))})`,
      module === 'service' ? 'import service' : `import ${module} as service`,
      '',
      ...pythonTerms.filter(([name]) => uses(name)).flatMap(([, source]) => [source, '']),
      ...(uses('same') ? [pythonSame(uses), ''] : []),
      ...(elsewhere
        ? [
            '# A second process, started before anything opens the database.',
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
      `${connection(name)} = sqlite3.connect(${name}, isolation_level=None, timeout=0)  # another connection than the submission's`,
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
      'time.sleep(0.3)  # the call has begun, and waits for the lock',
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
    return [
      `expected = ${expected}`,
      "print('expected:', repr(expected))",
      "print('got:     ', repr(got))",
      'sys.exit(0 if same(got, expected) else 1)',
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

const term = (name: string, meaning: string) => `class ${name}(tuple):  # ${meaning}
    def __new__(cls, *items): return tuple.__new__(cls, items)
    def __repr__(self): return '${name}' + tuple.__repr__(self)`;

/** What stands for more than one value. */
const pythonTerms: readonly (readonly [string, string])[] = [
  ['Json', term('Json', 'a text that is JSON of this value')],
  ['Refusal', term('Refusal', 'an exception that is not of the database driver')],
  ['Anything', term('Anything', 'anything but an exception')],
  ['OneOf', term('OneOf', 'one of these')],
  ['Through', term('Through', 'a list that has these in this order')],
  [
    'attempt',
    `def attempt(call):
    try:
        return call()
    except BaseException as error:
        return error`,
  ],
];

/** Python's == takes True for 1, and 1 for 1.0. */
function pythonSame(uses: (name: string) => boolean): string {
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
    'def same(a, b):  # == takes True for 1, and 1 for 1.0',
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

  constructor() {
    super('javascript');
  }

  protected head(entry: string, title: string): string[] {
    return [
      `// ${title}`,
      '// Exits with 1 as long as this happens, with 0 once it is mended. Run it with Node; TypeScript needs Node 22.18.',
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
      `const ${connection(name)} = new Database(${name}, { timeout: 0 }); // another connection than the submission's`,
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
    const where = event.call.process > 0 ? ' // the grader called it in another process' : '';
    return [`${last ? 'const got = ' : ''}${attempt};${where}`];
  }

  protected held(event: Called, statements: readonly Statement[]): string[] {
    const db = connection(this.narrator.database(event.held?.database ?? ''));
    return [
      '// The grader held the write lock in another process, called, and committed these while the call waited:',
      ...statements.map((statement) => `// ${this.#execute(db, statement)}`),
      ...this.call(event, true),
    ];
  }

  protected query(event: Queried): string[] {
    const db = connection(this.narrator.database(event.database));
    return [`const got = await attempt(() => ${db}.prepare(\`${event.sql}\`).raw().all());`];
  }

  protected alsoRows(sql: string): string[] {
    return [`console.log('rows:', db.prepare(\`${sql}\`).raw().all());`];
  }

  protected verdict(expected: string): string[] {
    return [
      `const expected = ${expected};`,
      "console.log('expected:', expected);",
      "console.log('got:     ', got);",
      'process.exit(same(got, expected) ? 0 : 1);',
    ];
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

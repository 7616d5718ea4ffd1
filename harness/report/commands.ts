import { type Called, type Event, insertion, isDatabasePath } from '../bench.ts';
import { Mismatch } from '../contract.ts';
import { seen } from '../expectation.ts';
import { type Language, literal } from '../literal.ts';
import type { Texts } from '../messages/texts.ts';
import type { Call, Statement } from '../subject/subject.ts';
import { isDict, type Value } from '../value.ts';
import { type FailedCase, isLookedAt, other, shortened, tablesLaid } from './narrate.ts';
import type { Moment, Table } from './story.ts';

/** Tells a case of a submission of scripts: files and commands instead of values and calls. */
export class CommandNarrator {
  readonly #language: Language;
  readonly #scripts: Readonly<Record<string, string>>;
  readonly #texts: Texts;
  /** Names for the paths of a case, in the order in which they come up. */
  readonly #names = new Map<string, string>();
  readonly #contents = new Map<string, string>();
  #requests = 0;
  #databases = 0;

  constructor(language: Language, scripts: Readonly<Record<string, string>>, texts: Texts) {
    this.#language = language;
    this.#scripts = scripts;
    this.#texts = texts;
  }

  value(value: Value): string {
    const isResult = isDict(value) && value.has('exit');
    const text = isResult ? this.#result(value).join('; ') : literal(value, 'python', this.#texts);
    return shortened(text, this.#texts);
  }

  expected(value: Value): string {
    return this.value(value);
  }

  before(trace: readonly Event[]): Table[] {
    this.#nameFiles(trace);
    return tablesLaid(trace, this);
  }

  /** The name of the file at the path. */
  database(path: string): string {
    return this.#names.get(path) ?? path;
  }

  /** Each file when it is first used, and each command with what came of it. */
  moments({ trace, reason }: FailedCase): Moment[] {
    this.#nameFiles(trace);
    return trace.flatMap((event): Moment[] => {
      const failed = isLookedAt(event, reason);
      if (event.kind === 'call') return this.#call(event, failed);
      if (event.kind === 'look')
        return [{ actor: 'grader', text: event.said(this.#texts), came: [], failed }];
      if (event.kind === 'execute' && !event.statements.some(({ sql }) => sql.startsWith('CREATE')))
        return event.statements.map(({ sql }) => other(sql));
      return [];
    });
  }

  /** A shell script that makes the files, gives the commands, and prints what comes of them. */
  reproduce({ trace, reason }: FailedCase, title: string): string {
    this.#nameFiles(trace);
    const lines = trace.flatMap((event) => this.#shell(event, reason));
    const expected =
      reason instanceof Mismatch
        ? [`cat <<'END'\n${this.#texts.say('terminal', 'expected')}: ${this.value(reason.expected)}\nEND`]
        : [];
    return `${['#!/usr/bin/env bash', `# ${title}`, 'cd "$(mktemp -d)"', ...lines, ...expected].join('\n')}\n`;
  }

  #nameFiles(trace: readonly Event[]): void {
    for (const event of trace) {
      if (event.kind === 'write') {
        if (!this.#names.has(event.path)) this.#names.set(event.path, `request-${++this.#requests}.json`);
        this.#contents.set(event.path, event.text);
      } else if (event.kind === 'call') {
        for (const arg of event.call.args.filter(isDatabasePath)) this.#nameDatabase(arg);
      } else if ('database' in event) this.#nameDatabase(event.database);
    }
  }

  #nameDatabase(database: string): void {
    if (this.#names.has(database)) return;
    this.#databases += 1;
    this.#names.set(database, this.#databases === 1 ? 'bank.db' : `bank-${this.#databases}.db`);
  }

  #call(event: Called, failed: boolean): Moment[] {
    const files = event.call.args.flatMap((arg): Moment[] => {
      const text = this.#contents.get(String(arg));
      if (text === undefined) return [];
      return [{ actor: 'file', text: `${this.#names.get(String(arg))}: ${text}`, came: [], failed: false }];
    });
    const command = this.#command(event.call);
    const came = event.outcome
      ? this.#result(seen(event.outcome)).map((line) => shortened(line, this.#texts))
      : [this.#texts.say('telling', 'noEnd')];
    const text = event.held ? this.#texts.say('telling', 'sameMoment', { command }) : command;
    return [...files, { actor: 'submission', text, came, failed }];
  }

  /** What a command left, as lines. */
  #result(value: Value): string[] {
    if (!isDict(value)) return [literal(value, 'python', this.#texts)];
    const lines = (name: string) =>
      String(value.get(name) ?? '')
        .trimEnd()
        .split('\n')
        .slice(-5)
        .filter((line) => line !== '');
    return [
      this.#texts.say('telling', 'exitCode', { code: String(value.get('exit')) }),
      ...lines('stdout'),
      ...lines('stderr').map((line) => `stderr: ${line}`),
    ];
  }

  #command({ name, args }: Call): string {
    const script = this.#scripts[name] ?? name;
    const words = args.map((arg) => this.#names.get(String(arg)) ?? String(arg));
    return [this.#language === 'python' ? 'python3' : 'node', script, ...words].map(word).join(' ');
  }

  #shell(event: Event, reason: FailedCase['reason']): string[] {
    switch (event.kind) {
      case 'lay':
        return this.#sqlite(
          event.database,
          event.rows.map((row) => insertion(event.table, row)),
        );
      case 'execute':
        return this.#sqlite(event.database, event.statements);
      case 'write':
        return [`cat > ${this.#names.get(event.path)} <<'END'\n${event.text}\nEND`];
      case 'call': {
        const command = `${this.#command(event.call)}; echo "${this.#texts.say('telling', 'exitCode', { code: '$?' })}"`;
        return event.held ? [`(${command}) &`, ...(isLookedAt(event, reason) ? ['wait'] : [])] : [command];
      }
      case 'look':
        return [`# ${this.#texts.say('telling', 'lookAt', { what: event.said(this.#texts) })}`];
      case 'query':
        return [
          'wait',
          `python3 - ${this.#names.get(event.database)} <<'END'`,
          'import sqlite3, sys',
          `print(sqlite3.connect(sys.argv[1]).execute("""${event.sql}""").fetchall())`,
          'END',
        ];
    }
  }

  #sqlite(database: string, statements: readonly Statement[]): string[] {
    if (statements.length === 0) return [];
    return [
      `python3 - ${this.#names.get(database)} <<'END'`,
      'import sqlite3, sys',
      'db = sqlite3.connect(sys.argv[1])',
      ...statements.map(({ sql, parameters }) => {
        const given = parameters.map((parameter) => this.value(parameter)).join(', ');
        return `db.execute("""${sql}""", [${given}])`;
      }),
      'db.commit()',
      'END',
    ];
  }
}

function word(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

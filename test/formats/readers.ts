import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Draft04 from 'ajv-draft-04';
import { XMLParser } from 'fast-xml-parser';
import { type HTMLElement, parse } from 'node-html-parser';
import type { Log } from 'sarif';
import { type FinalResults, Parser } from 'tap-parser';
import { validateXML } from 'xmllint-wasm';
import { projectFile } from '../../harness/project.ts';
import type { Verdict } from '../../harness/report/report.ts';

/*
 * What each platform understands of a file: opened by a parser of its format, validated by its schema where there is one, and told
 * in the verdicts of a report. Where a platform documents its format in words, the fields are checked one by one.
 */

export interface Understood {
  /** `error` where the platform has one status for what could not be judged and what could not be loaded. */
  readonly whole: Verdict | 'error';
  /** By the beginning of their names: the number of a step, or the id of a clause. */
  readonly parts: Readonly<Record<string, Verdict>>;
  /** Undefined where the format has none, null where there is none. */
  readonly points?: number | null;
}

export type Reader = (text: string) => Understood | Promise<Understood>;

type Fields = Record<string, unknown>;

function need(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(`not as documented: ${what}`);
}

/** The object, which has the fields of these types and no others. */
function fields(value: unknown, types: Record<string, string>): Fields {
  need(typeof value === 'object' && value !== null, 'an object');
  const object = value as Fields;
  for (const [name, type] of Object.entries(types)) {
    const optional = name.endsWith('?');
    const member = object[name.replace('?', '')];
    if (optional && member === undefined) continue;
    const seen = member === null ? 'null' : Array.isArray(member) ? 'array' : typeof member;
    need(type.split('|').includes(seen), `${name} is ${type}, not ${seen}`);
  }
  const known = Object.keys(types).map((name) => name.replace('?', ''));
  for (const name of Object.keys(object)) need(known.includes(name), `no field ${name}`);
  return object;
}

const list = (value: unknown): unknown[] => {
  need(Array.isArray(value), 'a list');
  return value;
};
const beginning = (name: unknown): string => String(name).split(' ')[0] as string;

function overall(parts: Readonly<Record<string, Verdict>>): Verdict {
  const verdicts = Object.values(parts);
  if (verdicts.includes('failed')) return 'failed';
  return verdicts.every((verdict) => verdict === 'passed') ? 'passed' : 'undecided';
}

// ---- machines

const xsd = readFileSync(projectFile('test/formats/jenkins-junit.xsd'), 'utf8');

const junit: Reader = async (xml) => {
  const { valid, errors } = await validateXML({ xml, schema: xsd });
  need(valid, errors.map(({ message }) => message).join('; '));
  const { testsuites } = new XMLParser({
    ignoreAttributes: false,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  }).parse(xml);
  const parts: Record<string, Verdict> = {};
  for (const suite of testsuites.testsuite) {
    const verdicts = suite.testcase.map((test: Fields) => {
      const verdict: Verdict =
        'failure' in test
          ? 'failed'
          : 'error' in test
            ? 'undecided'
            : 'skipped' in test
              ? 'skipped'
              : 'passed';
      parts[beginning(test['@_name'])] = verdict;
      return verdict;
    });
    const count = (verdict: Verdict) => String(verdicts.filter((each: Verdict) => each === verdict).length);
    need(suite['@_tests'] === String(verdicts.length), 'tests are counted');
    need(suite['@_failures'] === count('failed'), 'failures are counted');
    need(suite['@_errors'] === count('undecided'), 'errors are counted');
    need(suite['@_skipped'] === count('skipped'), 'skipped ones are counted');
    need(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(suite['@_timestamp']), 'a time without its zone');
  }
  const { run, ...clauses } = parts;
  return { whole: run ?? overall(parts), parts: clauses };
};

/** Every test point of the document, and what came of the whole. */
const tap: Reader = (text) => {
  const parts: Record<string, Verdict> = {};
  let final: FinalResults | undefined;
  const parser = new Parser({ strict: true }, (results) => {
    final = results;
  });
  const faults: unknown[] = [];
  const listen = (to: Parser) => {
    to.on('extra', (line) => faults.push(line));
    to.on('child', listen);
    to.on('complete', ({ plan, count }) => need(plan.end === count, 'as many test points as planned'));
    to.on('assert', ({ ok, skip, todo, name, diag }) => {
      need(!todo, 'no todo');
      const skipped = /^could not be judged/.test(String(skip)) ? 'undecided' : 'skipped';
      const id = beginning(name);
      if (id.includes('.')) parts[id] = skip ? skipped : ok ? 'passed' : 'failed';
      if (!ok && id.includes('.')) need(typeof diag?.kind === 'string', 'YAML diagnostics');
    });
  };
  listen(parser);
  parser.end(text);
  need(final, 'an end');
  need(faults.length === 0, `nothing but TAP: ${JSON.stringify(faults)}`);
  need(
    final.failures.every(({ tapError }: { tapError?: unknown }) => !tapError),
    'TAP without errors',
  );
  const failed = final.fail > 0;
  const whole = failed ? 'failed' : final.bailout ? 'undecided' : final.ok ? 'passed' : 'failed';
  return { whole, parts };
};

const sarifSchema = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);
const validSarif = new Draft04.default({
  strict: false,
  validateFormats: false,
  unicodeRegExp: false,
}).compile(JSON.parse(readFileSync(sarifSchema, 'utf8')));

const sarif: Reader = (text) => {
  const log: Log = JSON.parse(text);
  need(validSarif(log), JSON.stringify(validSarif.errors));
  const [run] = log.runs;
  need(run && log.runs.length === 1, 'one run');
  const [invocation] = run.invocations ?? [];
  const rules = run.tool.driver.rules ?? [];
  const idOf = (rule: string | undefined) => rule?.split('/')[1] ?? '';
  const parts = Object.fromEntries(rules.map(({ id }): [string, Verdict] => [idOf(id), 'passed']));
  for (const { ruleId, ruleIndex, locations } of run.results ?? []) {
    need(rules[ruleIndex ?? -1]?.id === ruleId, 'the rule of a result');
    need(locations?.length === 1, 'a location, as GitHub needs one');
    for (const { physicalLocation } of locations ?? []) {
      need((physicalLocation?.region?.startLine ?? 0) > 0, 'a line, as GitHub needs one');
      need(!/^[a-z]*:|^\/|\.\./i.test(physicalLocation?.artifactLocation?.uri ?? ''), 'a relative address');
    }
    parts[idOf(ruleId)] = 'failed';
  }
  for (const { associatedRule, level } of invocation?.toolExecutionNotifications ?? []) {
    if (associatedRule) parts[idOf(associatedRule.id)] = level === 'error' ? 'undecided' : 'skipped';
  }
  const failed = (run.results?.length ?? 0) > 0;
  return { whole: failed ? 'failed' : invocation?.executionSuccessful ? 'passed' : 'undecided', parts };
};

/** As the runner reads workflow commands: ActionCommand.cs of actions/runner, its unescaping included. */
const github: Reader = (text) => {
  const parts: Record<string, Verdict> = {};
  let warned = false;
  const lines = text.split('\n');
  for (const line of lines) {
    need(!/##\[/.test(line), 'no old commands');
    const [, command, properties, message] = /^\s*::(\S+) ([^:]*)::(.*)$/.exec(line) ?? [];
    if (command === undefined) continue;
    need(command === 'error' || command === 'warning', `no command ${command}`);
    const known = Object.fromEntries((properties ?? '').split(',').map((each) => each.split('=', 2)));
    const title = String(known.title).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%');
    const shown = (message ?? '').replaceAll('%0A', '\n').replaceAll('%25', '%');
    need(shown.length <= 4096, 'a message that the runner does not cut');
    if (known.line !== undefined) need(/^\d+$/.test(known.line), 'a line');
    if (/^\d+\.\d+ /.test(title)) parts[beginning(title)] = command === 'error' ? 'failed' : 'undecided';
    else if (command === 'warning') warned = true;
  }
  need(lines.filter((line) => line.startsWith('::error')).length <= 10, 'ten errors are shown');
  const verdicts = Object.values(parts);
  const whole = verdicts.includes('failed')
    ? 'failed'
    : warned || verdicts.includes('undecided')
      ? 'undecided'
      : 'passed';
  return { whole, parts };
};

// ---- platforms for courses

/** classroom-resources/autograding-grading-reporter: src/main.js, aggregate-results.js, notify-classroom.js. */
const classroom: Reader = (text) => {
  need(/^[A-Za-z0-9+/]+=*$/.test(text), 'base64 in a line');
  const result = fields(JSON.parse(Buffer.from(text, 'base64').toString('utf8')), {
    ...{ version: 'number', status: 'string', max_score: 'number', 'message?': 'string', tests: 'array' },
  });
  const tests = list(result.tests).map((test) =>
    fields(test, {
      ...{
        name: 'string',
        status: 'string',
        'score?': 'number',
        'message?': 'string',
        execution_time: 'string',
      },
    }),
  );
  const words = { pass: 'passed', fail: 'failed', error: 'undecided' } as const;
  const wordOf = (status: unknown) => words[status as keyof typeof words] ?? need(false, `status ${status}`);
  const points = tests.reduce((sum, { score }) => sum + Number(score ?? 0), 0);
  return {
    whole: wordOf(result.status) as Verdict,
    parts: Object.fromEntries(tests.map(({ name, status }) => [beginning(name), wordOf(status) as Verdict])),
    points: Number(result.max_score) > 0 ? points : null,
  };
};

/** gradescope-autograders.readthedocs.io/en/latest/specs, "Output format". */
const gradescope: Reader = (text) => {
  const visibilities = ['hidden', 'after_due_date', 'after_published', 'visible'];
  const result = fields(JSON.parse(text), {
    ...{ 'score?': 'number', execution_time: 'number', 'output?': 'string', output_format: 'string' },
    ...{ test_output_format: 'string', test_name_format: 'string', visibility: 'string' },
    ...{ extra_data: 'object', tests: 'array' },
  });
  need(visibilities.includes(String(result.visibility)), 'visibility');
  const tests = list(result.tests).map((test) =>
    fields(test, {
      ...{
        'score?': 'number',
        'max_score?': 'number',
        'status?': 'string',
        name: 'string',
        number: 'string',
      },
      ...{ output: 'string', output_format: 'string', visibility: 'string' },
    }),
  );
  const parts = Object.fromEntries(
    tests.map(({ name, status = 'undecided', output_format }) => {
      need(['passed', 'failed', 'undecided'].includes(String(status)), 'status');
      need(output_format === 'text', 'a text');
      return [beginning(name), status as Verdict];
    }),
  );
  const scored = tests.filter(({ score }) => score !== undefined).length;
  need(scored === 0 || scored === tests.length, 'all tests have a score, or none');
  const points = result.score === undefined ? null : Number(result.score);
  return { whole: points === null ? 'undecided' : overall(parts), parts, points };
};

/** PrairieLearn/PrairieLearn: docs/externalGrading.md, pl-external-grader-results.py. */
const prairielearn: Reader = (text) => {
  const result = fields(JSON.parse(text), {
    ...{ gradable: 'boolean', 'score?': 'number', 'format_errors?': 'array', tests: 'array' },
  });
  const tests = list(result.tests).map((test) =>
    fields(test, { name: 'string', 'points?': 'number', 'max_points?': 'number', output: 'string' }),
  );
  const parts = Object.fromEntries(
    tests.map(({ name, points, max_points }): [string, Verdict] => [
      beginning(name),
      points === undefined ? 'undecided' : points === max_points ? 'passed' : 'failed',
    ]),
  );
  if (!result.gradable) {
    need(list(result.format_errors).length > 0 && result.score === undefined, 'what is wrong, and no score');
    return { whole: 'undecided', parts, points: null };
  }
  const score = Number(result.score);
  need(score >= 0 && score <= 1, 'a score from 0 to 1');
  const points = tests.reduce((sum, test) => sum + Number(test.points), 0);
  return { whole: overall(parts), parts, points };
};

/** autolab/Autolab: docs/lab.md, docs/features/formatted-feedback.md, and parseAutoresult of assessment_autograde_core.rb. */
const autolab: Reader = (text) => {
  const lines = text.split('\n');
  const rewritten = String(lines.at(-1)).replace(/([a-zA-Z0-9]+):/g, '"$1":');
  const { scores } = fields(JSON.parse(rewritten), { scores: 'object' });
  const feedback: Fields = JSON.parse(String(lines.at(-2)));
  need(feedback._presentation === 'semantic', 'semantic feedback');
  const stages = list(feedback.stages).map((stage) => feedback[String(stage)] as Fields);
  need(stages.length === Object.keys(feedback).length - 2, 'each stage is listed');
  const parts = Object.fromEntries(
    stages.flatMap(Object.entries).map(([name, told]): [string, Verdict] => {
      if (typeof told === 'string') return [beginning(name), told === 'not asked' ? 'skipped' : 'undecided'];
      const { passed } = fields(told, { passed: 'boolean', 'hint?': 'string' });
      return [beginning(name), passed ? 'passed' : 'failed'];
    }),
  );
  const known = Object.values(scores as Record<string, number>);
  const points = known.length < stages.length ? null : known.reduce((sum, each) => sum + each, 0);
  return { whole: overall(parts), parts, points };
};

/** exercism.org/docs/building/tooling/test-runners/interface, version 3. */
const exercism: Reader = (text) => {
  const result = fields(JSON.parse(text), {
    ...{ version: 'number', status: 'string', message: 'string|null', tests: 'array' },
  });
  need(result.version === 3, 'version 3');
  need((result.status === 'error') === (result.message !== null), 'a message with an error, and only then');
  need(Buffer.byteLength(String(result.message)) <= 65_535, 'a message of at most 65535');
  const words = { pass: 'passed', fail: 'failed', error: 'undecided' } as const;
  const parts = Object.fromEntries(
    list(result.tests).map((each): [string, Verdict] => {
      const test = fields(each, {
        ...{
          name: 'string',
          status: 'string',
          message: 'string|null',
          task_id: 'number',
          'test_code?': 'string',
        },
      });
      const skipped = test.status === 'error' && test.message === 'not asked';
      return [beginning(test.name), skipped ? 'skipped' : words[test.status as keyof typeof words]];
    }),
  );
  const whole = { pass: 'passed', fail: 'failed', error: 'error' }[String(result.status)];
  return { whole: whole as Understood['whole'], parts };
};

/** cs50.github.io/check50/json_specification.html. */
const check50: Reader = (text) => {
  const error = { type: 'string', value: 'string', traceback: 'array', data: 'object' };
  const result = fields(JSON.parse(text), {
    ...{ slug: 'string', 'results?': 'array', 'error?': 'object', version: 'string' },
  });
  need((result.results === undefined) !== (result.error === undefined), 'results or an error');
  if (result.error) {
    fields(result.error, error);
    return { whole: 'undecided', parts: {} };
  }
  const checks = list(result.results).map((check) =>
    fields(check, {
      ...{
        name: 'string',
        description: 'string',
        passed: 'boolean|null',
        log: 'array',
        cause: 'object|null',
      },
      ...{ data: 'object', dependency: 'string|null' },
    }),
  );
  const names = checks.map(({ name }) => name);
  need(new Set(names).size === names.length, 'names of their own');
  const parts = Object.fromEntries(
    checks.map(({ description, passed, cause, dependency }): [string, Verdict] => {
      need((passed === true) === (cause === null), 'a cause, where it did not pass');
      need(dependency === null || names.includes(String(dependency)), 'a dependency that is there');
      if (passed === true) return [beginning(description), 'passed'];
      const why = fields(cause, {
        ...{ rationale: 'string', help: 'string|null' },
        ...{ 'expected?': 'string', 'actual?': 'string', 'error?': 'object' },
      });
      if (why.error) fields(why.error, error);
      return [beginning(description), passed === false ? 'failed' : why.error ? 'undecided' : 'skipped'];
    }),
  );
  return { whole: overall(parts), parts };
};

/** This tool's own JSON. */
const json: Reader = (text) => {
  const { verdict, steps } = JSON.parse(text);
  const clauses = steps.flatMap(({ clauses }: { clauses: { id: string; verdict: Verdict }[] }) => clauses);
  return {
    whole: verdict,
    parts: Object.fromEntries(
      clauses.map(({ id, verdict }: { id: string; verdict: Verdict }) => [id, verdict]),
    ),
  };
};

/** As a person reads it. */
const pretty: Reader = (text) => {
  const marks: Record<string, Verdict> = { '✓': 'passed', '✗': 'failed', '?': 'undecided', '-': 'skipped' };
  const parts = Object.fromEntries(
    [...text.matchAll(/^([✓✗?-]) (\d+\.\d+) {2}/gm)].map(([, mark, id]) => [id, marks[String(mark)]]),
  );
  const [, whole] = /^[\w-]+: (passed|failed|undecided|could not be judged)\. /m.exec(text) ?? [];
  return { whole: whole as Verdict, parts: parts as Record<string, Verdict> };
};

/** A page: its verdicts as classes. */
const html: Reader = (text) => {
  const page = parse(text);
  const verdictOf = (element: HTMLElement | null) =>
    element?.classNames.split(' ').find((name) => verdicts.includes(name)) as Verdict;
  const clauses = page.querySelectorAll('.clauses > li');
  return {
    whole: verdictOf(page.querySelector('header .verdict')),
    parts: Object.fromEntries(
      clauses.map((clause) => [clause.querySelector('b')?.text ?? '', verdictOf(clause)]),
    ),
  };
};
const verdicts = ['passed', 'failed', 'undecided', 'skipped'];

export const readers: Readonly<Record<string, Reader>> = {
  ...{
    pretty,
    json,
    html,
    junit,
    tap,
    sarif,
    github,
    classroom,
    gradescope,
    prairielearn,
    autolab,
    exercism,
    check50,
  },
};

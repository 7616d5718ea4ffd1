import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { run } from './labcheck.ts';
import { reference, type Schema } from './result-reference.ts';
import { Workshop } from './submissions.ts';

/* docs/result-format.md. `npx vitest run test/result-format.test.ts -u` writes it anew. */

const workshop = new Workshop();
afterAll(() => workshop.remove());

const file = projectFile('harness/report/report.schema.json');
const schema: Schema = JSON.parse(readFileSync(file, 'utf8'));

/** A result in which a clause passed and one failed, without what differs from machine to machine. */
async function example(): Promise<object> {
  const right = readFileSync(projectFile('reference/idem-retention-lab/service.py'), 'utf8');
  const folder = workshop.write({ 'service.py': right.replace('expires > ?', 'expires >= ?') });
  const args = ['--submission', folder, '--step', '4', '--runs', '20', '--seed', '7', '--format', 'json'];
  const { code, stdout } = await run(['grade', 'idem-retention-lab', ...args]);
  expect(code).toBe(1);
  const report = JSON.parse(stdout.replaceAll(folder, '/home/learner/lab'));
  const [step] = report.steps;
  const clauses = step.clauses.slice(0, 2).map((each: object) => ({ ...each, seconds: 0.2 }));
  const steps = [{ ...step, seconds: 0.3, cases: clauses[0].cases + clauses[1].cases, clauses }];
  return { ...report, seconds: 0.4, isolation: 'bubblewrap', steps };
}

test('the reference is what the schema says, with a result of today', async () => {
  const shown = await example();
  const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
    schema,
  );
  expect([validate(shown), validate.errors]).toStrictEqual([true, null]);
  await expect(reference(schema, shown)).toMatchFileSnapshot(projectFile('docs/result-format.md'));
});

test('a field that is not described is none of the reference', () => {
  const { steps: _, ...others } = schema.properties ?? {};
  expect(() => reference({ ...schema, properties: { ...others, steps: {} } }, {})).toThrow(/^steps /);
});

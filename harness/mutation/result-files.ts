import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { staff } from '../messages/staff.ts';
import { projectFile } from '../project.ts';
import type { ElementsReport } from '../report/mutation-elements.ts';
import { UsageError } from '../usage-error.ts';
import type { Validation } from './validation.ts';

/* Results that were written to files. Each reader throws a UsageError, which calls the file by `name`. */

export function readValidation(file: string, name = file): Validation {
  const ajv = new Ajv2020().addSchema(schema('harness/report/report.schema.json'), 'report.schema.json');
  const isOne = ajv.compile<Validation>(schema('harness/mutation/validation.schema.json'));
  return read(file, name, isOne, staff.mutationReport.noValidation);
}

/** A report in the schema of Mutation Testing Elements, such as Stryker's. */
export function readElements(file: string, name = file): ElementsReport {
  const elements = createRequire(import.meta.url)(
    'mutation-testing-report-schema/mutation-testing-report-schema.json',
  );
  const isOne = new Ajv({ strict: false, validateFormats: false }).compile<ElementsReport>(elements);
  return read(file, name, isOne, staff.mutationReport.noElements);
}

function read<T>(file: string, name: string, isOne: ValidateFunction<T>, remedy: string): T {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${name}: cannot be read (${(error as Error).message}); ${remedy}`);
  }
  if (!isOne(content)) {
    const [first] = isOne.errors ?? [];
    const where = `${first?.instancePath || 'it'} ${first?.message}`;
    throw new UsageError(`${name}: is another kind of file (${where}); ${remedy}`);
  }
  return content;
}

function schema(place: string): object {
  return JSON.parse(readFileSync(projectFile(place), 'utf8'));
}

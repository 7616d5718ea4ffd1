import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { parse } from 'yaml';
import type { Lab, Product } from './contract.ts';
import { projectFile } from './project.ts';
import { UsageError } from './usage-error.ts';

/** The data of a lab, as its manifest has them; lab.schema.json says what is legal. */
export interface Manifest extends Pick<Lab, 'id' | 'title' | 'kind' | 'entry' | 'budget' | 'life'> {
  readonly schemaVersion: 1;
  /** Left out: the folder in which labcheck is called. */
  readonly home?: string;
  /** The file beside the manifest that exports `prepare` and `open`; left out, a clause works with `{ bench }`. */
  readonly context?: string;
  readonly products?: Readonly<Record<string, Product>>;
}

/** The names that a manifest may have. */
export const manifestNames = ['lab.yaml', 'lab.json'] as const;

/** The manifest of a lab's folder, by its name; undefined where there is none. Throws a {@link UsageError} where there are two. */
export function manifestOf(folder: string): string | undefined {
  const [name, other] = manifestNames.filter((each) => existsSync(path.join(folder, each)));
  if (other) throw new UsageError(`${folder}: has ${name} and ${other}; keep one of them`);
  return name;
}

/** Reads a manifest. Throws a {@link UsageError} that names file, field and remedy. */
export function readManifest(folder: string, name: string): Manifest {
  const called = path.posix.join(path.basename(path.resolve(folder)), name);
  const content = parsed(textOf(path.join(folder, name), called), called);
  const valid = new Ajv({ verbose: true, allErrors: true }).compile<Manifest>(schema());
  if (valid(content)) return content;
  const errors = valid.errors ?? [];
  // A field by another name is missing, too: the name that was written says more.
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0];
  throw new UsageError(`${called}: ${error ? complaint(error) : 'is no manifest'}`);
}

function textOf(file: string, called: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`${called}: cannot be read (${code}); make it a file that you may read`);
  }
}

function schema(): object {
  return JSON.parse(readFileSync(projectFile('harness/lab.schema.json'), 'utf8'));
}

/** JSON is YAML. */
function parsed(text: string, called: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const [line] = (error as Error).message.split('\n');
    throw new UsageError(
      `${called}: ${line?.replace(/:$/, '')}; mend it there, and put quotes around a text that has a colon`,
    );
  }
}

/** What a part of the schema says of itself. */
interface Described {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
}

/** `budget: must be …; write 'budget: 45'`: the words are the schema's own. */
function complaint(error: ErrorObject): string {
  const { keyword, instancePath, params, parentSchema, propertyName, message } = error;
  const field = instancePath.slice(1).replaceAll('/', '.');
  const under = (name: string) => (field ? `${field}.${name}` : name);
  const described = (parentSchema ?? {}) as Described;
  if (!field && keyword === 'type') return `has no fields; write ${described.required?.join(', ')}`;
  if (keyword === 'additionalProperties') {
    const known = Object.keys(described.properties ?? {}).join(', ');
    return `${under(params.additionalProperty)}: there is no such field; leave it out, or write one of ${known}`;
  }
  if (propertyName !== undefined) {
    return `${under(propertyName)}: must be the number of a step; write one from 1 to 99`;
  }
  const missing = keyword === 'required' ? String(params.missingProperty) : undefined;
  if (missing === undefined)
    return `${field}: must be ${wanted(described, message)}${remedy(field, described)}`;
  const part = described.properties?.[missing] ?? {};
  return `${under(missing)}: is missing, and must be ${wanted(part, message)}${remedy(missing, part)}`;
}

function wanted({ description }: Described, message = ''): string {
  return description ?? message;
}

function remedy(field: string, { examples = [] }: Described): string {
  const [example] = examples;
  if (example === undefined) return '; docs/authors.md says more';
  const name = field.split('.').at(-1) ?? '';
  const value = typeof example === 'string' ? example : JSON.stringify(example);
  return `; write '${/^\d+$/.test(name) ? '- ' : `${name}: `}${value}'`;
}

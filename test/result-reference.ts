/* The reference of the JSON result: Markdown from its schema, which is the one place where fields are described. */

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The reference, with an example of a result. Throws a RangeError where a field is not described. */
export function reference(schema: Schema, example: object): string {
  const definitions = Object.entries(schema.$defs ?? {});
  const objects = definitions.filter(([, { properties }]) => properties);
  const others = definitions.filter(([, { properties }]) => !properties);
  return `# The JSON result

<!-- Made from harness/report/report.schema.json by a test: npx vitest run test/result-format.test.ts -u -->

${schema.description}

The schema is [report.schema.json](../harness/report/report.schema.json), JSON Schema 2020-12; a field that is not named here is not legal. What a submission wrote is data:
control characters are escaped. A change that breaks readers changes \`schemaVersion\`.

A reader that wants only the outcome takes \`verdict\`, or the exit code. [graders.md](graders.md) says what to make of it, [formats.md](formats.md) which other
formats there are.

## The result

${table(schema)}

${objects.map(([name, part]) => `## ${name}\n\n${sentence(name, part)}\n\n${table(part)}`).join('\n\n')}

${others.map(([name, part]) => `## ${name}\n\n${typeOf(part)}. ${sentence(name, part)}`).join('\n\n')}

## An example

\`\`\`json
${JSON.stringify(example, undefined, 2)}
\`\`\`
`;
}

function table({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).flatMap(([name, part]) => rowsOf(name, part, required));
  return ['| field | type | there | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** A field; the fields of an object that has no name of its own follow. */
function rowsOf(name: string, part: Schema, required: readonly string[]): readonly string[] {
  const there = required.includes(name.split('.').at(-1) ?? '') ? 'always' : 'may be left out';
  const own = row([`\`${name}\``, typeOf(part), there, described(name, part)]);
  const inside = Object.entries(part.properties ?? {});
  return [own, ...inside.flatMap(([each, inner]) => rowsOf(`${name}.${each}`, inner, part.required ?? []))];
}

function typeOf(part: Schema): string {
  if (part.$ref !== undefined) return linked(part.$ref);
  if (part.const !== undefined) return `\`${JSON.stringify(part.const)}\``;
  if (part.enum !== undefined) return part.enum.map((each) => `\`${each}\``).join(', ');
  if (part.items !== undefined) return `list of ${typeOf(part.items)}`;
  const types = [part.type ?? []].flat().join(' or ');
  if (part.minimum === undefined) return types;
  return `${types}, ${part.minimum}${part.maximum === undefined ? ' or more' : ` to ${part.maximum}`}`;
}

function linked(ref: string): string {
  const name = ref.replace('#/$defs/', '');
  return `[${name}](#${name})`;
}

function described(name: string, { description }: Schema): string {
  if (description === undefined) throw new RangeError(`${name} has no description`);
  return description;
}

function sentence(name: string, part: Schema): string {
  const text = described(name, part);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

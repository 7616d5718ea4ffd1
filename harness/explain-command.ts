import type { Command } from 'commander';
import { labNamed } from './command-line.ts';
import type { Clause, Step } from './contract.ts';
import type { Explanation, Source } from './explanation.ts';
import type { Texts } from './messages/texts.ts';
import { type AnyLab, labs } from './registry.ts';
import { UsageError } from './usage-error.ts';

/* `labcheck explain`. What it needs is loaded only once it is asked for: `grade` is to start fast. */

/** Columns of a line. */
const width = 80;
const indent = '  ';

interface ExplainFlags {
  readonly lang?: string;
}

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description('a clause: what it says, why it exists, what it leaves open; without one, all there are')
    .argument('<lab>', `one of ${labs.map(({ id }) => id).join(', ')}`, labNamed)
    .argument('[clause]', 'the number of a clause, such as 4.2')
    .option('--lang <name>', 'en, ja, ko or zh (default: that of the environment)')
    .action(async (lab: AnyLab, clause: string | undefined, { lang }: ExplainFlags) => {
      const { textsOf, tongueOf, tongueOfReader, tongues } = await import('./messages/texts.ts');
      if (lang !== undefined && !tongueOf(lang))
        throw new UsageError(`--lang ${lang}: there is ${tongues.join(', ')}`);
      const texts = textsOf(tongueOfReader(lang, process.env));
      const lines = clause === undefined ? await listed(lab, texts) : await explained(lab, clause, texts);
      console.log(lines.join('\n'));
    });
}

/** The clauses of a lab, a step after the other. */
async function listed(lab: AnyLab, texts: Texts): Promise<readonly string[]> {
  const { wrapped } = await import('./report/wrapped.ts');
  return lab.steps.flatMap(({ number, title, clauses }, index) => [
    ...(index > 0 ? [''] : []),
    texts.say('explain', 'step', { step: number, title }),
    ...clauses.flatMap((clause) => hanging(`${indent}${clause.id}  `, clause, texts, wrapped)),
  ]);
}

/** All there is to say of one clause. Throws a {@link UsageError} that names the clauses there are. */
async function explained(lab: AnyLab, id: string, texts: Texts): Promise<readonly string[]> {
  const [step, clause] = clauseOf(lab, id);
  const [{ wrapped }, about] = await Promise.all([import('./report/wrapped.ts'), lab.explain?.()]);
  const explanation: Explanation | undefined = about?.explanations[texts.tongue][id];
  const sources = about?.sources[id] ?? [];
  const paragraph = (text: string) =>
    wrapped(text, width - indent.length, texts.tongue).map((line) => indent + line);
  const part = (heading: 'why' | 'limits', text: string | undefined) =>
    text === undefined ? [] : ['', texts.say('explain', heading), ...paragraph(text)];
  return [
    ...hanging(`${id}  `, clause, texts, wrapped),
    ...part('why', explanation?.why),
    ...part('limits', explanation?.limits),
    '',
    texts.say('explain', 'sources'),
    `${indent}${lab.id}: ${texts.say('explain', 'labText', { step: step.number })}`,
    ...sources.flatMap(({ title, url }: Source) => [...paragraph(title), `${indent}${indent}${url}`]),
  ];
}

function clauseOf(lab: AnyLab, id: string): readonly [Step<unknown>, Clause<unknown>] {
  for (const step of lab.steps) {
    const clause = step.clauses.find((each) => each.id === id);
    if (clause) return [step, clause];
  }
  const ids = lab.steps.flatMap(({ clauses }) => clauses.map((clause) => clause.id));
  throw new UsageError(`${id}: ${lab.id} has no such clause; it has ${ids.join(', ')}`);
}

/** The clause's sentence, with all lines but the first as far to the right as its number ends. */
function hanging(
  head: string,
  { statement }: Clause<unknown>,
  { tongue }: Texts,
  wrapped: typeof import('./report/wrapped.ts').wrapped,
): readonly string[] {
  const [first = '', ...others] = wrapped(statement, width - head.length, tongue);
  return [head + first, ...others.map((line) => ' '.repeat(head.length) + line)];
}

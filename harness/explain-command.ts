import type { Command } from 'commander';
import { labNamed, langOption } from './command-line.ts';
import type { Clause, Step } from './contract.ts';
import type { Explanation, Source } from './explanation.ts';
import { type Texts, textsOf, tongueOfReader } from './messages/texts.ts';
import { type AnyLab, labs } from './registry.ts';
import { statementOf, titleOf } from './report/learner.ts';
import { wrapped } from './report/wrap.ts';
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
    .addOption(langOption())
    .action(async (lab: AnyLab, clause: string | undefined, { lang }: ExplainFlags) => {
      const texts = textsOf(tongueOfReader(lang, process.env));
      const lines = clause === undefined ? listed(lab, texts) : await explained(lab, clause, texts);
      console.log(lines.join('\n'));
    });
}

/** The clauses of a lab, a step after the other. */
function listed(lab: AnyLab, texts: Texts): readonly string[] {
  return lab.steps.flatMap((step, index) => [
    ...(index > 0 ? [''] : []),
    texts.say('explain', 'step', { step: step.number, title: titleOf(lab, step, texts) }),
    ...step.clauses.flatMap((clause) => hanging(lab, `${indent}${clause.id}  `, clause, texts)),
  ]);
}

/** All there is to say of one clause. Throws a {@link UsageError} that names the clauses there are. */
async function explained(lab: AnyLab, id: string, texts: Texts): Promise<readonly string[]> {
  const [step, clause] = clauseOf(lab, id);
  const about = await lab.explain?.();
  const explanation: Explanation | undefined = about?.explanations[texts.tongue][id];
  const sources = about?.sources[id] ?? [];
  const paragraph = (text: string) =>
    wrapped(text, width - indent.length, texts.tongue).map((line) => indent + line);
  const part = (heading: 'why' | 'limits', text: string | undefined) =>
    text === undefined ? [] : ['', texts.say('explain', heading), ...paragraph(text)];
  return [
    ...hanging(lab, `${id}  `, clause, texts),
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
function hanging(lab: AnyLab, head: string, clause: Clause<unknown>, texts: Texts): readonly string[] {
  const statement = statementOf(lab, clause, texts);
  const [first = '', ...others] = wrapped(statement, width - head.length, texts.tongue);
  return [head + first, ...others.map((line) => ' '.repeat(head.length) + line)];
}

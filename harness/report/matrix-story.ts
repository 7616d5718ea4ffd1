import { staff } from '../messages/staff.ts';
import { textsOf, wordsOf } from '../messages/texts.ts';
import {
  isAsItShouldBe,
  type MutantResult,
  type SourceChange,
  type Validation,
} from '../mutation/validation.ts';
import { labById } from '../registry.ts';
import { type Html, html, scrolling } from './html.ts';
import type { FailureReport } from './report.ts';

const words = wordsOf(textsOf('en'), 'terminal');

/* What a click on a cell opens. */

/** The mutant, and of each step that it failed the smallest failing inputs. */
export function mutantStory(mutant: MutantResult, { lab, seeds }: Validation): Html {
  const { status, detail, changes, why, cells, killedOn } = mutant;
  const failed = cells.filter(({ failures }) => failures.length > 0);
  return html`<h2 id="opened-title">${mutant.id}</h2>
<p class="quiet">${about(mutant)}</p>
<p><strong class="status ${isAsItShouldBe(mutant) && 'good'}">${staff.matrix.groups[status]}</strong>
${killedOn > 0 && staff.matrix.killedOn(killedOn, seeds.length)} ${detail}</p>
<p>${why}</p>
${changes.map(diff)}
${failed.map(
  ({ step, failures }) =>
    html`<section data-step="${step}">${failures.map(({ clause, report }) => failureStory(clause, report, lab))}</section>`,
)}`;
}

/** A clause that failed, with its smallest failing input. */
export function failureStory(clause: string, report: FailureReport, lab: string): Html {
  const { kind, given, calls, expected, got, hint, seed, path, shrinks, reproduce } = report;
  const block = (name: string, text: string) => html`<dt>${name}</dt><dd>${scrolling(text, name)}</dd>\n`;
  const told = kind === 'contract' || calls.length > 0;
  return html`<article>
<h3>${clause} ${statementOf(clause, lab)} <small>${kind}</small></h3>
<dl class="told">
${told && block(words('given'), given.join('\n') || words('givenNothing'))}
${told && block(words('calls'), calls.join('\n'))}
${block(words('expected'), expected)}
${block(words('got'), got)}
${hint && html`<dt>${words('hint')}</dt><dd>${hint}</dd>`}
<dt>${words('seed')}</dt><dd>${path === null ? seed : words('found', { seed, path, shrinks })}</dd>
${reproduce && script(reproduce)}
</dl>
</article>\n`;
}

function statementOf(id: string, lab: string): string | undefined {
  const clauses = labById(lab)?.steps.flatMap((step) => step.clauses);
  return clauses?.find((clause) => clause.id === id)?.statement;
}

/** Where it comes from, in a line. */
export function about({ language, origin, operator, clause, step }: MutantResult): string {
  const due = clause ?? (step === null ? undefined : staff.matrix.step(step));
  return [language, operator ?? origin, due].filter(Boolean).join(' · ');
}

function script(text: string): Html {
  const { copied, selected, needs } = staff.matrix;
  return html`<dt>${words('reproducer')}
<button class="copy" data-copied="${copied}" data-selected="${selected}">${staff.matrix.copy}</button></dt>
<dd>${scrolling(text, words('reproducer'))}<p class="quiet">${needs}</p></dd>`;
}

function diff({ file, start, original, replacement }: SourceChange): Html {
  const lines = (sign: string, text: string) =>
    text
      .split('\n')
      .map((line) => `${sign} ${line}`)
      .join('\n');
  return html`<figure class="diff"><figcaption>${file}:${start.line}</figcaption>
<pre>${original && html`<del>${lines('-', original)}</del>\n`}${
    replacement && html`<ins>${lines('+', replacement)}</ins>`
  }</pre></figure>\n`;
}

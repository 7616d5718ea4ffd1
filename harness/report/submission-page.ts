import { readFileSync } from 'node:fs';
import { faultFor } from '../messages/faults.ts';
import { type KeyOf, type Texts, type Values, wordsOf } from '../messages/texts.ts';
import { projectFile } from '../project.ts';
import type { AnyLab } from '../registry.ts';
import { type Difference, differencesOf } from './differences.ts';
import { harmlessLine } from './harmless.ts';
import { baseStyle, type Html, html, page, scrolling } from './html.ts';
import { hintOf, statementOf, titleOf } from './learner.ts';
import { turnOf } from './life.ts';
import { lifePicture } from './life-picture.ts';
import { toldFor } from './report.ts';
import {
  clausesToTell,
  type ShownClause,
  type ShownFailure,
  type ShownReport,
  type ShownStep,
  tellerOf,
} from './shown.ts';
import type { Moment, Story, Table } from './story.ts';

/** The result of one submission as one HTML file that needs no network, in the tongue of whoever reads. */
export function submissionPage(report: ShownReport, lab: AnyLab, texts: Texts): string {
  const asset = (name: string) => readFileSync(projectFile(`harness/report/submission/${name}`), 'utf8');
  const title = lab.messages?.[texts.tongue]?.title ?? lab.title;
  return page({
    tongue: texts.tongue,
    title: `${report.lab}: ${texts.say('terminal', report.verdict)}`,
    body: new SubmissionPage(report, lab, texts).body(title),
    style: `${baseStyle()}\n${asset('page.css')}`,
    scripts: [asset('page.js')],
  });
}

/** The parts of the page. */
class SubmissionPage {
  readonly #report: ShownReport;
  readonly #lab: AnyLab;
  readonly #texts: Texts;
  readonly #told: readonly ShownClause[];
  readonly #say: (key: KeyOf<'page'>, values?: Values) => string;
  readonly #word: (key: KeyOf<'terminal'>, values?: Values) => string;

  constructor(report: ShownReport, lab: AnyLab, texts: Texts) {
    this.#report = report;
    this.#lab = lab;
    this.#texts = texts;
    this.#told = clausesToTell(report.steps.flatMap(({ clauses }) => clauses));
    this.#say = wordsOf(texts, 'page');
    this.#word = wordsOf(texts, 'terminal');
  }

  body(title: string): Html {
    const { steps, fault, casesHidden } = this.#report;
    const failed = this.#told;
    return html`<header>
<h1>${title} <small>${this.#report.lab}</small></h1>
${this.#facts()}
${fault !== undefined && html`<p class="fault">${this.#fault(fault)}</p>`}
${casesHidden && html`<p class="quiet">${this.#say('hidden')}</p>`}
</header>
<main>
<section aria-labelledby="steps">
<h2 id="steps">${this.#say('steps')}</h2>
<ol class="steps">${steps.map((step) => this.#step(step))}</ol>
</section>
${failed.length > 0 ? this.#failures(failed) : this.#report.verdict === 'passed' && html`<p class="all">${this.#say('allPassed')}</p>`}
</main>`;
  }

  // ---- all steps at a glance

  #facts(): Html {
    const { verdict, seconds, seed, submission, steps } = this.#report;
    const count = steps.reduce((sum, step) => sum + step.cases, 0);
    const facts: readonly (readonly [string, Html | string | number])[] = [
      [this.#say('result'), this.#badge(verdict)],
      [
        this.#say('time'),
        this.#word('measured', { cases: this.#word('cases', { count }), seconds: seconds.toFixed(1) }),
      ],
      ...(seed === undefined ? [] : [[this.#word('seed'), seed] as const]),
      [this.#say('submission'), html`<code>${harmlessLine(submission)}</code>`],
    ];
    return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
  }

  #step(step: ShownStep): Html {
    const title = titleOf(this.#lab, { number: step.step, title: step.title }, this.#texts);
    return html`<li><h3>${this.#say('step', { step: step.step, title })} ${this.#badge(step.verdict)}</h3>
<ul class="clauses">${step.clauses.map((clause) => this.#clause(clause))}</ul></li>\n`;
  }

  #clause(clause: ShownClause): Html {
    const { id, verdict, cases, seconds, failure, fault } = clause;
    const statement = statementOf(this.#lab, clause, this.#texts);
    const measured = this.#word('measured', {
      cases: this.#word('cases', { count: cases }),
      seconds: seconds.toFixed(2),
    });
    const told = tellerOf(clause, this.#told);
    return html`<li class="${verdict}"><span class="mark" aria-hidden="true"></span><span class="spoken">${this.#word(verdict)}</span>
<span><b>${id}</b> ${failure ? html`<a href="#clause-${told?.id}">${statement}</a>` : statement}
${verdict !== 'skipped' && html`<small>${measured}</small>`}${fault !== undefined && html`<br><small>${this.#fault(fault)}</small>`}</span></li>`;
  }

  #badge(verdict: ShownReport['verdict']): Html {
    return html`<strong class="verdict ${verdict}">${this.#word(verdict)}</strong>`;
  }

  #fault(said: string): string {
    return harmlessLine(this.#word('fault', { fault: faultFor(said, this.#texts) }));
  }

  // ---- a clause that failed

  #failures(clauses: readonly ShownClause[]): Html {
    return html`<section aria-labelledby="failures">
<h2 id="failures">${this.#say('failures')}</h2>
${clauses.map((clause) => clause.failure && this.#failure(clause, clause.failure))}
</section>`;
  }

  #failure(clause: ShownClause, failure: ShownFailure): Html {
    const { kind, seed, path, shrinks } = failure;
    const { story, reproduce } = toldFor(failure);
    const hint = hintOf(this.#lab, clause.id, failure, this.#texts);
    const isTold = seed !== undefined && (kind === 'contract' || story.moments.length > 0);
    return html`<article id="clause-${clause.id}" aria-labelledby="title-${clause.id}">
<h3 id="title-${clause.id}"><b>${clause.id}</b> ${statementOf(this.#lab, clause, this.#texts)} <small>${this.#word(`kind.${kind}`)}</small></h3>
${hint && html`<p class="hint"><b>${this.#say('hint')}</b> ${hint}</p>`}
${
  seed !== undefined &&
  html`<h4>${this.#say('outcome')}</h4>
<dl class="outcome"><div class="due"><dt>${this.#say('expected')}</dt><dd>${scrolling(story.expected, this.#say('expected'))}</dd></div>
<div class="came"><dt>${this.#say('got')}</dt><dd>${scrolling(story.got, this.#say('got'))}</dd></div></dl>`
}
${
  isTold &&
  html`<h4>${this.#say('before')}</h4>${this.#before(story)}
<h4>${this.#say('timeline')}</h4>${this.#timeline(story.moments)}`
}
${story.after && html`<h4>${this.#say('after')} <em>${this.#say('failedHere')}</em></h4>${this.#after(story.after)}`}
${this.#life(story)}
${seed !== undefined && html`<p class="quiet">${this.#word('seed')}: ${path === null ? seed : this.#word('found', { seed, path, shrinks })}</p>`}
${reproduce && this.#script(reproduce)}
</article>\n`;
  }

  #before({ before }: Story): Html {
    const tables = before.filter(({ rows }) => rows.length > 0);
    if (tables.length === 0) return html`<p>${this.#say('nothing')}</p>`;
    return html`${tables.map((table) =>
      framed(
        nameOf(table),
        html`<thead><tr>${table.columns.map(heading)}</tr></thead>
<tbody>${table.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>`,
      ),
    )}`;
  }

  #timeline(moments: readonly Moment[]): Html {
    if (moments.length === 0) return html`<p>${this.#say('noCalls')}</p>`;
    return html`<ol class="timeline">${moments.map((moment) => this.#moment(moment))}</ol>`;
  }

  #moment({ actor, text, came, failed }: Moment): Html {
    return html`<li class="${actor}${failed && ' failed'}"><span class="actor">${this.#say(`${actor}Actor`)}</span>
<code>${text}</code>${came.map((line) => html`<code class="came"><span class="spoken">→</span>${line}</code>`)}
${failed && html`<em>${this.#say('failedHere')}</em>`}</li>`;
  }

  #after({ expected, seen }: NonNullable<Story['after']>): Html {
    const rows = differencesOf(expected, seen);
    return framed(
      nameOf(seen),
      html`<thead><tr>${heading(this.#say('mark'))}${seen.columns.map(heading)}</tr></thead>
<tbody>${rows.map((row) => this.#difference(row))}</tbody>`,
    );
  }

  #difference({ kind, expected, seen }: Difference): Html {
    const cells = (seen ?? expected ?? []).map((cell, index) => {
      const due = expected?.[index];
      if (kind !== 'changed' || due === cell) return html`<td>${cell}</td>`;
      return html`<td class="differs"><ins>${this.#say('cellIs', { seen: cell })}</ins><br><del>${this.#say('insteadOf', { expected: due ?? '' })}</del></td>`;
    });
    return html`<tr class="${kind}"><th scope="row">${this.#say(kind)}</th>${cells}</tr>`;
  }

  #life(story: Story): Html | false {
    const { life } = this.#lab;
    const turn = life && turnOf(story, life);
    return turn !== undefined && life !== undefined && lifePicture(turn, life.states, this.#say);
  }

  #script(script: string): Html {
    return html`<details><summary>${this.#word('reproducer')}</summary>
<button class="copy" data-copied="${this.#say('copied')}" data-selected="${this.#say('selected')}">${this.#say('copy')}</button>
${scrolling(script, this.#word('reproducer'))}</details>`;
  }
}

function nameOf({ name, database }: Table): string {
  return database === 'path' ? name : `${name} (${database})`;
}

function heading(name: string): Html {
  return html`<th scope="col">${name}</th>`;
}

/** A table that scrolls by itself where it is wide, by the keyboard, too. */
function framed(caption: string, rows: Html): Html {
  return html`<div class="framed" tabindex="0" role="group" aria-label="${caption}"><table><caption>${caption}</caption>${rows}</table></div>`;
}

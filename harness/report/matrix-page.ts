import { readFileSync } from 'node:fs';
import { staff } from '../messages/staff.ts';
import {
  type BaselineResult,
  isAsItShouldBe,
  type MutantResult,
  type MutantStatus,
  type Validation,
} from '../mutation/validation.ts';
import { projectFile } from '../project.ts';
import { baseStyle, dialogScript, type Html, html, type Part, page } from './html.ts';
import { type Mark, markOf, marks } from './matrix-marks.ts';
import { about, failureStory, mutantStory } from './matrix-story.ts';

/** Mutants that are shown together: by what became of them, but those that only prove that a check can fail. */
type Group = MutantStatus | 'canary';

/** What wants a reader's attention stands on top. */
const groups: readonly Group[] = [
  'survived',
  'flaky',
  'killed elsewhere',
  'crash',
  'timeout',
  'stillborn',
  'invalid',
  'undecided',
  'killed',
  'equivalent',
  'canary',
];

function groupOf(mutant: MutantResult): Group {
  return mutant.origin === 'canary' && isAsItShouldBe(mutant) ? 'canary' : mutant.status;
}

/** The kill matrix as one HTML file that needs no network: mutants × steps; a cell opens its smallest failing input. */
export function matrixPage(validation: Validation): string {
  const asset = (name: string) => readFileSync(projectFile(`harness/report/matrix/${name}`), 'utf8');
  return page({
    title: staff.matrix.title(validation.lab),
    body: new Matrix(validation).body(),
    style: `${baseStyle()}\n${asset('page.css')}`,
    scripts: [dialogScript(), asset('page.js')],
  });
}

/** The parts of the page. */
class Matrix {
  readonly #validation: Validation;

  constructor(validation: Validation) {
    this.#validation = validation;
  }

  body(): Html {
    const { mutants } = this.#validation;
    return html`<main>
${this.#header()}
${this.#baseline()}
<section aria-labelledby="mutants">
<h2 id="mutants">${staff.matrix.mutants}</h2>
${mutants.length > 0 && [this.#filters(), legend(), this.#table()]}
</section>
</main>
<dialog id="opened" aria-labelledby="opened-title"><button class="close" autofocus>${staff.matrix.close}</button><div></div></dialog>`;
  }

  // ---- what came of it all

  #header(): Html {
    const { lab, verdict, seconds, seeds, mutants, baseline } = this.#validation;
    const passed = baseline.filter((each) => each.verdict === 'passed').length;
    const facts: readonly (readonly [string, Part])[] = [
      [staff.matrix.verdict, html`<strong class="verdict ${verdict}">${staff.verdicts[verdict]}</strong>`],
      [staff.matrix.mutants, mutants.length],
      ...this.#counts().map(([group, count]) => [staff.matrix.groups[group], count] as const),
      [staff.matrix.baseline, staff.matrix.of(passed, baseline.length)],
      [staff.matrix.seeds, seeds.join(', ')],
      [staff.matrix.time, staff.pretty.seconds(seconds)],
    ];
    return html`<header>
<h1>${staff.matrix.title(lab)}</h1>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<noscript><p>${staff.matrix.noScript}</p></noscript>
</header>`;
  }

  /** The groups that are not empty. */
  #counts(): readonly (readonly [Group, number])[] {
    const of = this.#validation.mutants.map(groupOf);
    return groups
      .map((group) => [group, of.filter((each) => each === group).length] as const)
      .filter(([, count]) => count > 0);
  }

  #baseline(): Html {
    const { baseline, seeds } = this.#validation;
    const bad = baseline.some(({ verdict }) => verdict !== 'passed');
    return html`<details class="baseline" ${bad && html`open`}>
<summary><h2>${staff.matrix.baseline}</h2> ${staff.matrix.baselineIs}</summary>
<ul>${baseline.map((each, index) => this.#correct(each, `b${index}`, seeds.length))}</ul>
</details>`;
  }

  #correct(result: BaselineResult, id: string, seeds: number): Html {
    const { name, verdict, passedOn, failure, fault } = result;
    const shown =
      failure &&
      html`<button class="link" data-opens="${id}">${failure.clause}</button>
<template id="${id}">${[
        html`<h2 id="opened-title">${name}</h2><p>${staff.matrix.onSeed(failure.seed)}</p>`,
        failureStory(failure.clause, failure.report, this.#validation.lab),
      ]}</template>`;
    return html`<li><span class="verdict ${verdict}">${staff.verdicts[verdict]}</span> <b>${name}</b>
${passedOn < seeds && staff.matrix.passedOn(passedOn, seeds)} ${shown} ${fault}</li>\n`;
  }

  // ---- the table

  #filters(): Html {
    const { mutants } = this.#validation;
    const choice = (
      name: string,
      label: string,
      values: readonly string[],
      show = (value: string) => value,
    ) =>
      html`<label>${label} <select name="${name}"><option value="">${staff.matrix.all}</option>${[
        ...new Set(values),
      ].map((value) => html`<option value="${value}">${show(value)}</option>`)}</select></label>`;
    const { groups: words } = staff.matrix;
    return html`<form class="filters" role="search">
<label>${staff.matrix.search} <input type="search" name="text" placeholder="${staff.matrix.searchIn}"></label>
${choice(
  'status',
  staff.matrix.status,
  this.#counts().map(([group]) => group),
  (group) => words[group as Group],
)}
${choice(
  'origin',
  staff.matrix.origin,
  mutants.map(({ origin }) => origin),
)}
${choice(
  'language',
  staff.matrix.language,
  mutants.map(({ language }) => language),
)}
<button type="reset">${staff.matrix.reset}</button>
<output data-text="${staff.matrix.shown}"></output>
</form>`;
  }

  #table(): Html {
    const { steps } = this.#validation;
    const heads = steps.map(
      ({ step, title }) =>
        html`<th scope="col" title="${title}"><span class="number">${step}</span> <span class="title">${title}</span></th>`,
    );
    return html`<div class="matrix" role="region" aria-labelledby="mutants" tabindex="0">
<table>
<thead><tr><th scope="col">${staff.matrix.mutant}</th>${heads}<th scope="col" class="why">${staff.matrix.why}</th></tr></thead>
${this.#counts().map(([group, count]) => this.#group(group, count))}
</table>
</div>`;
  }

  #group(group: Group, count: number): Html {
    const { mutants, steps } = this.#validation;
    const last = steps.length + 1;
    const rows = mutants.map((mutant, index) => ({ mutant, id: `m${index}` }));
    const own = rows
      .filter(({ mutant }) => groupOf(mutant) === group)
      .sort((a, b) => (a.mutant.step ?? last) - (b.mutant.step ?? last));
    return html`<tbody>
<tr class="group"><th scope="rowgroup" colspan="${last + 1}">${staff.matrix.groups[group]} (${count})
<span class="quiet">${staff.matrix.means[group]}</span></th></tr>
${own.map(({ mutant, id }) => this.#row(mutant, id))}</tbody>`;
  }

  #row(mutant: MutantResult, id: string): Html {
    const { origin, language, why } = mutant;
    const cells = this.#validation.steps.map(({ step }) => this.#cell(mutant, step, id));
    return html`<tr data-status="${groupOf(mutant)}" data-origin="${origin}" data-language="${language}">
<th scope="row"><button class="link" data-opens="${id}">${mutant.id}</button> <small>${about(mutant)}</small>
<template id="${id}">${mutantStory(mutant, this.#validation)}</template></th>
${cells}<td class="why">${why}</td></tr>\n`;
  }

  #cell(mutant: MutantResult, step: number, id: string): Html {
    const cell = mutant.cells.find((each) => each.step === step) ?? {
      step,
      verdict: 'skipped',
      failures: [],
    };
    const mark = markOf(mutant, cell);
    const letter = html`<span aria-hidden="true">${marks[mark]}</span>`;
    const word = staff.matrix.marks[mark];
    if (cell.failures.length === 0)
      return html`<td class="${mark}">${letter}<span class="spoken">${word}</span></td>`;
    const by = cell.failures.map(({ clause }) => clause).join(', ');
    const label = staff.matrix.opens(mutant.id, step, word, by);
    return html`<td class="${mark}"><button data-opens="${id}" data-step="${step}" aria-label="${label}" title="${by}">${letter}</button></td>`;
  }
}

function legend(): Html {
  const entries = Object.entries(marks).filter(([, letter]) => letter);
  return html`<ul class="legend">${entries.map(
    ([mark, letter]) =>
      html`<li><span class="${mark}">${letter}</span> ${staff.matrix.marks[mark as Mark]}</li>`,
  )}</ul>`;
}

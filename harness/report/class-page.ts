import { readFileSync } from 'node:fs';
import { staff } from '../messages/staff.ts';
import { projectFile } from '../project.ts';
import { failuresOf, type Group, groupsAlike, type Seen, smallest } from './alike.ts';
import type { Change, ClassEntry, ClassOptions } from './class.ts';
import { faultOfRun } from './formats/telling.ts';
import { harmlessLine } from './harmless.ts';
import { baseStyle, dialogScript, type Html, html, type Part, page } from './html.ts';
import { failureStory } from './matrix-story.ts';
import type { StepReport, Verdict } from './report.ts';

const texts = staff.classReport;

/** What a verdict is marked by, besides its colour. */
const marks: Readonly<Record<Verdict, string>> = { passed: '✓', failed: '✗', undecided: '?', skipped: '·' };

/** Counterexamples of a group that are shown side by side. */
const sideBySide = 2;

/** The results of a class as one HTML file that needs no network: submissions × steps; a cell opens what failed. For staff. */
export function classPage(entries: readonly ClassEntry[], options: ClassOptions): string {
  const asset = (name: string) => readFileSync(projectFile(`harness/report/${name}`), 'utf8');
  return page({
    title: texts.title(options.lab.id),
    body: new ClassPage(entries, options).body(),
    style: [baseStyle(), asset('matrix/page.css'), asset('class/page.css')].join('\n'),
    scripts: [dialogScript(), asset('class/page.js')],
  });
}

/** The parts of the page. */
class ClassPage {
  readonly #entries: readonly ClassEntry[];
  readonly #options: ClassOptions;
  /** Of the lab's steps those that were asked. */
  readonly #steps: ClassOptions['lab']['steps'];
  readonly #failures: readonly Seen[];

  constructor(entries: readonly ClassEntry[], options: ClassOptions) {
    this.#entries = entries;
    this.#options = options;
    const asked = new Set(entries.flatMap(({ report }) => report.steps.map(({ step }) => step)));
    this.#steps = options.lab.steps.filter(({ number }) => asked.has(number));
    this.#failures = failuresOf(entries);
  }

  body(): Html {
    const { changes } = this.#options;
    return html`<main>
${this.#header()}
${this.#unjudged()}
${changes && section('changes', texts.changes, this.#changes(changes))}
${section('map', texts.map, html`${this.#filters()}${this.#map()}`)}
${section('clauses', texts.clauses, this.#clauses())}
${section('alike', texts.alike, this.#groups())}
</main>
<dialog id="opened" aria-labelledby="opened-title"><button class="close" autofocus>${staff.matrix.close}</button><div></div></dialog>`;
  }

  #header(): Html {
    const { lab, when, version } = this.#options;
    const having = (verdict: Verdict) =>
      this.#entries.filter(({ report }) => report.verdict === verdict).length;
    const facts: readonly (readonly [string, Part])[] = [
      [texts.submissions, this.#entries.length],
      [staff.verdicts.passed, having('passed')],
      [staff.verdicts.failed, having('failed')],
      [texts.unjudged, having('undecided')],
      [
        texts.when,
        html`<time datetime="${when.toISOString()}">${when.toISOString().slice(0, 16).replace('T', ' ')} UTC</time>`,
      ],
      [texts.version, version],
    ];
    return html`<header>
<h1>${texts.title(lab.id)}</h1>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<noscript><p>${texts.noScript}</p></noscript>
</header>`;
  }

  /** The grader's own fault: no result of theirs. */
  #unjudged(): Html | false {
    const unjudged = this.#entries.filter(({ report }) => report.verdict === 'undecided');
    if (unjudged.length === 0) return false;
    const rows = unjudged.map(
      ({ name, report }) =>
        html`<li><b>${harmlessLine(name)}</b>: ${harmlessLine(faultOfRun(report) ?? '')}</li>`,
    );
    return section(
      'unjudged',
      texts.unjudged,
      html`<p class="quiet">${texts.unjudgedMeans}</p><ul>${rows}</ul>`,
    );
  }

  #changes(changes: readonly Change[]): Html {
    if (changes.length === 0) return html`<p>${texts.noChange}</p>`;
    const rows = changes.map(({ name, from, to, steps, because }) => {
      const clauses = steps.map(
        (step) =>
          html`<li>${staff.matrix.step(step.step)}: ${step.from} → ${step.to} ${step.clauses.join(', ')}</li>`,
      );
      return html`<tr><th scope="row">${harmlessLine(name)}</th><td>${from} → ${to}</td><td><ul>${clauses}</ul></td><td>${because.map((each) => texts.because[each]).join(', ')}</td></tr>\n`;
    });
    const heads = texts.changeHeads.map((head) => html`<th scope="col">${head}</th>`);
    return html`<div class="framed" role="group" aria-labelledby="changes" tabindex="0"><table class="changes"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
  }

  // ---- the map

  #filters(): Html {
    const verdicts = (['passed', 'failed', 'undecided'] as const).map(
      (verdict) => html`<option value="${verdict}">${staff.verdicts[verdict]}</option>`,
    );
    return html`<form class="filters" role="search">
<label>${staff.matrix.search} <input type="search" name="text" placeholder="${texts.searchIn}"></label>
<label>${staff.matrix.verdict} <select name="verdict"><option value="">${staff.matrix.all}</option>${verdicts}</select></label>
<button type="reset">${staff.matrix.reset}</button>
<output data-text="${texts.shown}"></output>
</form>`;
  }

  #map(): Html {
    const column = (label: Part, sort: 'text' | 'number', short?: string) =>
      html`<th scope="col"><button class="sort" data-sort="${sort}">${label}${short && html` <span class="title">${short}</span>`}</button></th>`;
    const count = this.#entries.length;
    const totals = this.#steps.map(({ number }) => {
      const passed = this.#entries.filter(
        ({ report }) => stepOf(report.steps, number)?.verdict === 'passed',
      ).length;
      return html`<td>${count === 0 ? '' : `${Math.round((100 * passed) / count)} %`}</td>`;
    });
    return html`<div class="matrix" role="group" aria-labelledby="map" tabindex="0">
<table class="map">
<thead><tr>${column(texts.submission, 'text')}${this.#steps.map(({ number, title }) => column(number, 'number', title))}${column(texts.passedSteps, 'number')}${column(texts.seconds, 'number')}</tr>
<tr class="totals"><th scope="row">${texts.passedShare}</th>${totals}<td></td><td></td></tr></thead>
<tbody>${this.#entries.map((entry, index) => this.#row(entry, `s${index}`))}</tbody>
</table>
</div>`;
  }

  #row({ name, report }: ClassEntry, id: string): Html {
    const passed = report.steps.filter(({ verdict }) => verdict === 'passed').length;
    const shown = harmlessLine(name);
    const cells = this.#steps.map(({ number }) =>
      this.#cell(shown, number, stepOf(report.steps, number), id),
    );
    const hasStory = report.steps.some(({ clauses }) => clauses.some(({ failure }) => failure));
    return html`<tr data-verdict="${report.verdict}"><th scope="row" data-value="${shown}">${shown}${hasStory && html`<template id="${id}">${this.#story(shown, report.steps)}</template>`}</th>
${cells}<td data-value="${passed}">${passed}</td><td data-value="${report.seconds}">${report.seconds.toFixed(1)}</td></tr>\n`;
  }

  #cell(name: string, number: number, step: StepReport | undefined, id: string): Html {
    const verdict = step?.verdict ?? 'skipped';
    const mark = html`<span aria-hidden="true">${marks[verdict]}</span>`;
    const rank = { failed: 0, undecided: 1, skipped: 2, passed: 3 }[verdict];
    const failed = step?.clauses.filter(({ failure }) => failure).map(({ id }) => id) ?? [];
    if (failed.length === 0)
      return html`<td class="${cellClass[verdict]}" data-value="${rank}">${mark}<span class="spoken">${staff.verdicts[verdict]}</span></td>`;
    const by = failed.join(', ');
    return html`<td class="${cellClass[verdict]}" data-value="${rank}"><button data-opens="${id}" data-step="${number}" aria-label="${staff.matrix.opens(name, number, staff.verdicts[verdict], by)}" title="${by}" data-count="${failed.length}">${mark}</button></td>`;
  }

  /** Scripts are left out: the smallest of each clause has one below. */
  #story(name: string, steps: readonly StepReport[]): Html {
    const sections = steps
      .filter(({ clauses }) => clauses.some(({ failure }) => failure))
      .map(({ step, clauses }) => {
        const stories = clauses.map(
          ({ id, failure }) =>
            failure && failureStory(id, { ...failure, reproduce: '' }, this.#options.lab.id),
        );
        return html`<section data-step="${step}">${stories}</section>`;
      });
    return html`<h2 id="opened-title">${name}</h2>${sections}`;
  }

  // ---- what fails

  #clauses(): Html {
    const judged = this.#entries.length;
    const ids = [...new Set(this.#failures.map(({ clause }) => clause))];
    if (ids.length === 0) return html`<p>${texts.nothingFails}</p>`;
    const known = this.#steps.flatMap(({ clauses }) => clauses).filter(({ id }) => ids.includes(id));
    const rows = known
      .map(({ id, statement }) => ({
        id,
        statement,
        seen: this.#failures.filter(({ clause }) => clause === id),
      }))
      .sort((a, b) => b.seen.length - a.seen.length);
    return html`<ol class="clauses">${rows.map(({ id, statement, seen }) => {
      const least = smallest(seen);
      return html`<li><details><summary><span class="bar"><meter min="0" max="${judged}" value="${seen.length}" aria-label="${texts.failedOf(seen.length, judged)}"></meter> ${texts.failedOf(seen.length, judged)}</span>
<b>${id}</b> ${statement}</summary>
${least && html`<p class="quiet">${texts.smallestOf(harmlessLine(least.name), least.failure.hintKey)}</p>${failureStory(id, least.failure, this.#options.lab.id)}`}</details></li>\n`;
    })}</ol>`;
  }

  #groups(): Html {
    const groups = groupsAlike(this.#entries);
    if (groups.length === 0) return html`<p>${texts.nothingFails}</p>`;
    const alone = groups.filter(({ names }) => names.length === 1);
    const together = groups.filter(({ names }) => names.length > 1);
    return html`${together.map((group) => this.#group(group))}
${alone.length > 0 && html`<details class="group"><summary><b>${texts.alone(alone.length)}</b></summary>${alone.map((group) => this.#group(group))}</details>`}`;
  }

  #group({ names, failures }: Group): Html {
    const clauses = [...new Set(failures.map(({ clause }) => clause))];
    const shown = [...names.map((name) => failures.filter((seen) => seen.name === name))]
      .map((own) => smallest(own))
      .filter((least) => least !== undefined);
    const least = [...shown].sort(bySize).slice(0, names.length > 1 ? sideBySide : 1);
    return html`<details class="group"><summary><b>${texts.count(names.length)}</b> ${clauses.join(', ')}
<span class="quiet">${names.slice(0, 5).map(harmlessLine).join(', ')}${names.length > 5 && texts.more(names.length - 5)}</span></summary>
<p>${names.map(harmlessLine).join(', ')}</p>
<div class="beside">${least.map(({ name, clause, failure }) => html`<div><p><b>${harmlessLine(name)}</b></p>${failureStory(clause, { ...failure, reproduce: '' }, this.#options.lab.id)}</div>`)}</div></details>\n`;
  }
}

/** How the kill matrix names the colours of cells: here a failed step is what wants attention. */
const cellClass: Readonly<Record<Verdict, string>> = {
  passed: 'killed',
  failed: 'survived',
  undecided: 'undecided',
  skipped: 'skipped',
};

function bySize(a: Seen, b: Seen): number {
  return smallest([a, b]) === a ? -1 : 1;
}

function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}
</section>`;
}

function stepOf(steps: readonly StepReport[], number: number): StepReport | undefined {
  return steps.find(({ step }) => step === number);
}

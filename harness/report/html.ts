import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { projectFile } from '../project.ts';

/** Markup. Only {@link html} makes it, so that nothing gets into a page without being escaped. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** What a template may hold: texts are escaped, lists joined, and what is undefined or false leaves no trace. */
export type Part = Html | string | number | undefined | false | readonly Part[];

/** A piece of markup: the template's own text as it stands, its values escaped. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((before, text, index) => before + markupOf(parts[index - 1]) + text));
}

function markupOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.markup;
  if (typeof part === 'object') return part.map(markupOf).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text that scrolls by itself where it is wide, by the keyboard, too. */
export function scrolling(text: string, label: string): Html {
  return html`<pre tabindex="0" role="group" aria-label="${label}">${text}</pre>`;
}

/** A page as one file: what it needs is in it. */
export interface Page {
  /** The language of its words; English where nothing is said. */
  readonly tongue?: string;
  readonly title: string;
  readonly body: Html;
  readonly style: string;
  /** Run in this order, once the body is there. */
  readonly scripts: readonly string[];
  /** What the scripts find as the text of the element `data`. */
  readonly data?: unknown;
}

/**
 * The page's text. Its policy lets it load nothing, and run no scripts but its own: not even markup that had slipped
 * in could do anything.
 */
export function page({ tongue = 'en', title, body, style, scripts, data }: Page): string {
  const inline = scripts.map(inlineScript);
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    `script-src ${inline.map(hashOf).join(' ')}`,
  ].join('; ');
  const head = html`<!doctype html>
<html lang="${tongue}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>`;
  const json =
    data === undefined ? [] : [`<script type="application/json" id="data">${inlineJson(data)}</script>`];
  return [
    head.markup,
    `<style>\n${style}</style>\n</head>\n<body>`,
    body.markup,
    ...json,
    ...inline.map((script) => `<script>${script}</script>`),
    '</body>\n</html>\n',
  ].join('\n');
}

/** What all pages look like. */
export function baseStyle(): string {
  return readFileSync(projectFile('harness/report/page.css'), 'utf8');
}

/** Opens a template of the page in its dialog `opened`, and copies scripts. */
export function dialogScript(): string {
  return readFileSync(projectFile('harness/report/dialog.js'), 'utf8');
}

/** JSON without the characters that could end the element it stands in. */
function inlineJson(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** In JavaScript `</script` can stand only in texts and regular expressions, where a backslash changes nothing. */
function inlineScript(script: string): string {
  return script.replace(/<\/(script)/gi, '<\\/$1');
}

function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

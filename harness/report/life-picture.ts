import type { KeyOf, Values } from '../messages/texts.ts';
import { type Html, html } from './html.ts';
import type { Turn } from './life.ts';

/* The life of a key as a picture: its states from top to bottom, and beside them the turn that it took, or did not take. */

const node = { left: 8, width: 128, height: 36, gap: 30 } as const;

/** `say` gives the words of the page. */
export function lifePicture(
  turn: Turn,
  states: readonly string[],
  say: (key: KeyOf<'page'>, values?: Values) => string,
): Html {
  const places = ['absent', ...states, 'purged'];
  const nameOf = (place: string) => (place === 'absent' || place === 'purged' ? say(place) : place);
  const { key, from, due, seen } = turn;
  const hasStayed = from === seen;
  const told = say(hasStayed ? 'stayed' : 'forbidden', {
    ...{ from: nameOf(from), due: nameOf(due), seen: nameOf(seen) },
  });
  const top = (place: string) => node.gap / 2 + places.indexOf(place) * (node.height + node.gap);
  const height = top('purged') + node.height + node.gap / 2;
  const arrows = [
    ...(hasStayed ? [] : [arc(top(from), top(seen), 'wrong', say('wrongArrow'))]),
    ...(from === due
      ? []
      : [arc(top(from), top(due), hasStayed ? 'untaken' : 'due', hasStayed ? say('missingArrow') : '')]),
  ];
  return html`<figure class="life"><figcaption><b>${say('life', { key })}</b><br>${told}</figcaption>
<svg viewBox="0 0 340 ${height}" role="img" aria-label="${told}">
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs>
${places.slice(1).map((place) => usual(top(place)))}
${places.map((place) => state(top(place), nameOf(place), place === from ? 'from' : place === seen ? 'seen' : place === due ? 'due' : ''))}
${arrows}
</svg></figure>`;
}

/** From the state above to the one at this height. */
function usual(top: number): Html {
  const x = node.left + node.width / 2;
  return html`<path class="usual" d="M${x} ${top - node.gap}V${top - 2}" marker-end="url(#tip)"/>`;
}

function state(top: number, name: string, mark: string): Html {
  return html`<g class="state ${mark}"><rect x="${node.left}" y="${top}" width="${node.width}" height="${node.height}" rx="8"/>
<text x="${node.left + node.width / 2}" y="${top + node.height / 2}" dominant-baseline="central" text-anchor="middle">${name}</text></g>`;
}

/** Beside the states; the further it leads, the wider it is. */
function arc(from: number, to: number, kind: 'wrong' | 'due' | 'untaken', label: string): Html {
  const x = node.left + node.width;
  const [start, end] = [from + node.height / 2 - 6, to + node.height / 2 + 6];
  const far = x + 24 + Math.abs(end - start) / 3;
  return html`<path class="${kind}" d="M${x} ${start}C${far} ${start} ${far} ${end} ${x + 3} ${end}" marker-end="url(#tip)"/>
<text class="${kind}" x="${x + (far - x) * 0.78 + 6}" y="${(start + end) / 2}" dominant-baseline="central">${kind === 'wrong' ? `✗ ${label}` : label}</text>`;
}

import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** A file of JSON, a line each, to which lines are added as they come. A line that an end has cut short is none. */
export class JsonLines<Line> {
  readonly #file: string;

  /** Makes the file where there is none. Throws where it can be neither read nor written. */
  constructor(file: string) {
    this.#file = file;
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    appendFileSync(file, text === '' || text.endsWith('\n') ? '' : '\n');
  }

  /** Each line is handed over by itself: together they may be large. */
  static *read<Line>(file: string): Generator<Line> {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      try {
        yield JSON.parse(line) as Line;
      } catch {
        // empty, or cut short
      }
    }
  }

  lines(): Generator<Line> {
    return JsonLines.read(this.#file);
  }

  add(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { save, saveAtOnce } from './command-line.ts';
import type { Texts } from './messages/texts.ts';
import { projectVersion } from './project.ts';
import type { AnyLab } from './registry.ts';
import { type Format, type FormatOptions, formatNamed, formats, type Rendering } from './report/formats.ts';
import type { Report } from './report/report.ts';
import { type ShownReport, withoutCases } from './report/shown.ts';
import { UsageError } from './usage-error.ts';

/* The flags of `labcheck grade` that say how a result is written, and where. */

/** `--format NAME` or `--format NAME=FILE`. */
export interface Wanted {
  readonly format: Format;
  /** Undefined where none is named. */
  readonly file: string | undefined;
  /** What was given at the terminal. */
  readonly option: string;
}

export interface FormatFlags {
  readonly format?: readonly Wanted[];
  readonly output?: string;
  readonly points?: ReadonlyMap<number, number>;
  readonly partial?: boolean;
  readonly hideCases?: boolean;
}

/** For the help: a format a line, and what reads it. */
export function listOfFormats(): string {
  const width = Math.max(...formats.map(({ name }) => name.length));
  return formats.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`).join('\n');
}

/** Each use of the flag adds one. */
export function wantedFormats(text: string, before: readonly Wanted[] = []): readonly Wanted[] {
  const [name = '', ...rest] = text.split('=');
  const format = formatNamed(name);
  if (!format) {
    const names = formats.map((each) => each.name).join(', ');
    throw new InvalidArgumentError(`There is no format '${name}'; NAME is one of ${names}.`);
  }
  const file = rest.length > 0 ? rest.join('=') : undefined;
  if (file === '') throw new InvalidArgumentError(`Name a file after ${name}=, or leave out the =.`);
  return [...before, { format, file, option: `--format ${text}` }];
}

/** `--points 1=5 --points 2=10` and `--points 1=5,2=10` are the same. */
export function pointsOfSteps(
  text: string,
  before: ReadonlyMap<number, number> = new Map(),
): ReadonlyMap<number, number> {
  const added = text.split(',').map((part): [number, number] => {
    const [, step, points] = /^(\d{1,2})=(\d{1,6}(?:\.\d{1,2})?)$/.exec(part) ?? [];
    if (step === undefined) throw new InvalidArgumentError(`Give STEP=POINTS, as in 1=5 or 2=2.5.`);
    return [Number(step), Number(points)];
  });
  return new Map([...before, ...added]);
}

/** Throws a {@link UsageError} where the lab lacks a step that has points. */
export function requirePoints(lab: AnyLab, points: ReadonlyMap<number, number>): void {
  for (const step of points.keys()) {
    if (!lab.steps.some(({ number }) => number === step))
      throw new UsageError(`--points ${step}=…: ${lab.id} has the steps 1 to ${lab.steps.length}`);
  }
}

/** Writes a run's result in all formats asked for. */
export class Results {
  readonly #loaded: readonly (Wanted & { readonly rendering: Rendering })[];
  readonly #options: Omit<FormatOptions, 'now'>;
  readonly #hidden: boolean;

  private constructor(
    wanted: readonly (Wanted & { readonly rendering: Rendering })[],
    options: Omit<FormatOptions, 'now'>,
    hidden: boolean,
  ) {
    this.#loaded = wanted;
    this.#options = options;
    this.#hidden = hidden;
  }

  /** Loads what is needed. Throws a {@link UsageError} where the flags contradict each other. */
  static async of(lab: AnyLab, texts: Texts, flags: FormatFlags): Promise<Results> {
    const wanted = placed(flags);
    const points = flags.points ?? new Map();
    requirePoints(lab, points);
    const loaded = await Promise.all(
      wanted.map(async (each) => ({ ...each, rendering: await each.format.load() })),
    );
    const base = process.env.GITHUB_WORKSPACE || process.cwd();
    const options = {
      lab,
      texts,
      points,
      partial: flags.partial ?? false,
      base: path.resolve(base),
      version: projectVersion(),
    };
    return new Results(loaded, options, flags.hideCases ?? false);
  }

  /** Whether the terminal is told in words, clause by clause: nothing else goes there. */
  get inWords(): boolean {
    return this.#loaded.every(({ format, file }) => file !== undefined || format.name === 'pretty');
  }

  get hasFiles(): boolean {
    return this.#loaded.some(({ file }) => file !== undefined);
  }

  /** The report as it may be shown. */
  shown(report: Report): ShownReport {
    return this.#hidden ? withoutCases(report) : report;
  }

  /** Writes to the files what is known so far. */
  partly(report: Report): void {
    for (const { file, rendering } of this.#loaded) {
      if (file !== undefined) saveAtOnce(file, this.#rendered(rendering, report));
    }
  }

  /** What goes to standard output, where that is not told in words. */
  printed(report: Report): string | undefined {
    const printed = this.#loaded.find(({ file }) => file === undefined);
    return printed && !this.inWords ? this.#rendered(printed.rendering, report) : undefined;
  }

  /** Writes all files. Throws a {@link UsageError} that names the first that cannot be written, once all others are. */
  write(report: Report): void {
    const faults: unknown[] = [];
    const attempt = (write: () => void) => {
      try {
        write();
      } catch (fault) {
        faults.push(fault);
      }
    };
    const now = new Date();
    for (const { file, option, rendering } of this.#loaded) {
      if (file !== undefined) attempt(() => save(file, this.#rendered(rendering, report), option));
      attempt(() => rendering.atEnd?.(this.shown(report), { ...this.#options, now }, process.env));
    }
    if (faults.length > 0) throw faults[0];
  }

  #rendered({ render }: Rendering, report: Report): string {
    return render(this.shown(report), { ...this.#options, now: new Date() });
  }
}

/** The formats with their files: `--output` is that of the only one. Throws a {@link UsageError}. */
function placed({ format = [], output }: FormatFlags): readonly Wanted[] {
  const asked: readonly Wanted[] =
    format.length > 0 ? format : [{ format: formats[0] as Format, file: undefined, option: '' }];
  const [only] = asked;
  if (output !== undefined) {
    if (asked.length > 1 || only?.file !== undefined) {
      throw new UsageError(
        `--output ${output}: it is the file of one format alone; give each its own: --format NAME=FILE`,
      );
    }
    return asked.map((each) => ({ ...each, file: output, option: `--output ${output}` }));
  }
  const printed = asked.filter(({ file }) => file === undefined).map(({ option }) => option);
  if (printed.length > 1) {
    throw new UsageError(
      `${printed.join(' ')}: only one can go to standard output; give the others a file: --format NAME=FILE`,
    );
  }
  const files = asked.flatMap(({ file }) => (file === undefined ? [] : [path.resolve(file)]));
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new UsageError(`--format …=${twice}: the file is named twice; name another`);
  return asked;
}

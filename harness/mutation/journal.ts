import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../project.ts';
import { outsideLabs } from '../registry.ts';
import type { Observation } from './fate.ts';
import type { Job } from './job.ts';

interface Entry {
  readonly key: string;
  readonly observation: Observation;
}

/** What was observed so far: in memory, and in a file where one is named. A job is known by all that decides it. */
export class Journal {
  readonly #file: string | undefined;
  readonly #version: string;
  readonly #known = new Map<string, Observation>();
  /** Of files of bases, which hundreds of jobs have in common. */
  readonly #hashes = new Map<string, string>();

  /** `version` is that of the checks and the harness. Throws where the file can be neither read nor written. */
  constructor(file: string | undefined, version: string) {
    this.#file = file;
    this.#version = version;
    if (file === undefined) return;
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const { key, observation } of entriesOf(text)) this.#known.set(key, observation);
    appendFileSync(file, text === '' || text.endsWith('\n') ? '' : '\n'); // the line that an end cut short
  }

  known(job: Job): Observation | undefined {
    if (this.#known.size === 0) return undefined;
    return this.#known.get(this.#keyOf(job));
  }

  add(job: Job, observation: Observation): void {
    if (this.#file === undefined) return;
    const entry: Entry = { key: this.#keyOf(job), observation };
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  /** Which clause is asked first changes no verdict: it is not part of the key. */
  #keyOf({ base, edited, plan, ...others }: Job): string {
    const asked = plan.kind === 'any' ? { kind: plan.kind } : plan;
    const files = Object.entries(base.files).map(([file, place]) => [file, this.#hashOfFile(place)]);
    return hashOf(JSON.stringify([this.#version, base.entry, files, edited, asked, others]));
  }

  #hashOfFile(place: string): string {
    const hash = this.#hashes.get(place) ?? hashOf(readFileSync(place));
    this.#hashes.set(place, hash);
    return hash;
  }
}

function entriesOf(text: string): readonly Entry[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Entry];
    } catch {
      return []; // empty, or cut short
    }
  });
}

/** The version of the checks and the harness: a hash of what is run, compiled or not, labs from outside included. */
export function versionOfChecks(): string {
  const here = fileURLToPath(import.meta.url);
  const folders = here.endsWith('.ts')
    ? [projectFile('harness'), projectFile('checks')]
    : [path.dirname(here), projectFile('harness/subject')];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:m?[jt]s|py)$/.test(file))
      .sort()
      .map((file) => readFileSync(path.join(folder, file))),
  );
  const outside = outsideLabs().map(({ manifest, code }) => Buffer.from(JSON.stringify(manifest) + code));
  return hashOf(Buffer.concat([...files, ...outside]));
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

import { readFileSync } from 'node:fs';
import { hashOf } from '../checks-version.ts';
import { JsonLines } from '../json-lines.ts';
import type { Observation } from './fate.ts';
import type { Job } from './job.ts';

interface Entry {
  readonly key: string;
  readonly observation: Observation;
}

/** What was observed so far: in memory, and in a file where one is named. A job is known by all that decides it. */
export class Journal {
  readonly #file: JsonLines<Entry> | undefined;
  readonly #version: string;
  readonly #known = new Map<string, Observation>();
  /** Of files of bases, which hundreds of jobs have in common. */
  readonly #hashes = new Map<string, string>();

  /** `version` is that of the checks and the harness. Throws where the file can be neither read nor written. */
  constructor(file: string | undefined, version: string) {
    this.#version = version;
    if (file === undefined) return;
    this.#file = new JsonLines(file);
    for (const { key, observation } of this.#file.lines()) this.#known.set(key, observation);
  }

  known(job: Job): Observation | undefined {
    if (this.#known.size === 0) return undefined;
    return this.#known.get(this.#keyOf(job));
  }

  add(job: Job, observation: Observation): void {
    this.#file?.add({ key: this.#keyOf(job), observation });
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

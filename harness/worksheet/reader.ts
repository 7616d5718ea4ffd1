import { createInterface, type Interface } from 'node:readline';
import type { Texts } from '../messages/texts.ts';

/** Who reads: at a terminal a person, who is waited for. */
export class Reader {
  /** Whether there are any answers. */
  readonly answers: boolean;
  readonly #texts: Texts;
  readonly #lines: Interface | undefined;
  #ended = false;

  constructor(reveal: boolean, texts: Texts, interrupted: AbortSignal) {
    const waits = !reveal && process.stdin.isTTY === true && process.stdout.isTTY === true;
    this.#texts = texts;
    this.answers = reveal || waits;
    interrupted.addEventListener('abort', () => this.close());
    if (!waits) return;
    this.#lines = createInterface({ input: process.stdin, terminal: false }); // Ctrl+C stays a signal
    this.#lines.once('close', () => {
      this.#ended = true;
    });
  }

  /** What comes after a question: its answer, the next question, or nothing more. */
  async wants(): Promise<'answer' | 'next' | 'end'> {
    if (this.#ended) return 'end';
    const lines = this.#lines;
    if (!lines) return this.answers ? 'answer' : 'next';
    process.stdout.write(`  ${this.#texts.say('worksheet', 'pressEnter')} `);
    return new Promise((resolve) => {
      lines.once('line', () => resolve('answer'));
      lines.once('close', () => resolve('end'));
    });
  }

  close(): void {
    this.#ended = true;
    this.#lines?.close();
  }
}

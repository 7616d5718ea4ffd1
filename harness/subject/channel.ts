import type { Duplex } from 'node:stream';
import { SubjectFailure } from './subject.ts';
import { frame, ProtocolError, Unframer } from './wire.ts';

interface Pending {
  resolve(reply: unknown): void;
  reject(error: Error): void;
}

/**
 * Requests to one process of a submission, and its replies, which come in the order of the requests. Whatever
 * else comes from there is a crash of the submission.
 */
export class Channel {
  readonly #stream: Duplex;
  readonly #unframer = new Unframer();
  readonly #pending: Pending[] = [];
  #failure: SubjectFailure | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (data: Buffer) => this.#receive(data));
    stream.on('error', () => this.fail(new SubjectFailure('crash', 'the process ended')));
    stream.on('close', () => this.fail(new SubjectFailure('crash', 'the process ended')));
  }

  /** Why no more replies will come. */
  get failure(): SubjectFailure | undefined {
    return this.#failure;
  }

  get waiting(): number {
    return this.#pending.length;
  }

  /** A message that is not replied to. */
  tell(message: unknown): void {
    if (!this.#failure) this.#stream.write(frame(message));
  }

  request(message: unknown): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      this.#stream.write(frame(message));
    });
  }

  /** All that is pending, and all that will be asked, fails. */
  fail(failure: SubjectFailure): void {
    this.#failure ??= failure;
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure);
  }

  #receive(data: Buffer): void {
    if (this.#failure) return;
    try {
      for (const message of this.#unframer.push(data)) {
        const pending = this.#pending.shift();
        if (!pending) throw new ProtocolError('a reply to no request');
        pending.resolve(message);
      }
    } catch (error) {
      this.fail(new SubjectFailure('crash', `the process sent ${(error as Error).message}`));
    }
  }
}

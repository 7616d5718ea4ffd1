import type { Duplex } from 'node:stream';
import { endSaid } from '../messages/faults.ts';
import { SubjectFailure } from './subject.ts';
import { frame, ProtocolError, Unframer } from './wire.ts';

const closed = new SubjectFailure('crash', endSaid('channelClosed'));

/** Milliseconds that whoever watches the process has to tell how it ended, before the channel speaks for itself. */
const graceForReason = 100;

interface Pending {
  readonly id: number;
  resolve(reply: unknown): void;
  reject(error: Error): void;
}

/**
 * Requests to one process of a submission, and its replies, which come in the order of the requests and with their
 * numbers. Whatever else comes from there is a crash of the submission.
 */
export class Channel {
  readonly #stream: Duplex;
  readonly #unframer = new Unframer();
  readonly #pending: Pending[] = [];
  readonly #unsent: Buffer[] = [];
  #count = 0;
  #failure: SubjectFailure | undefined;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (data: Buffer) => this.#receive(data));
    stream.on('error', () => {}); // 'close' follows
    stream.on('close', () => setTimeout(() => this.fail(closed), graceForReason).unref());
  }

  /** Why no more replies will come. */
  get failure(): SubjectFailure | undefined {
    return this.#failure;
  }

  /** A message that is not replied to. */
  tell(message: readonly unknown[]): void {
    this.#send([0, ...message]);
  }

  request(message: readonly unknown[]): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#count += 1;
      this.#pending.push({ id: this.#count, resolve, reject });
      this.#send([this.#count, ...message]);
    });
  }

  /** All that is pending, and all that will be asked, fails. */
  fail(failure: SubjectFailure): void {
    this.#failure ??= failure;
    for (const { reject } of this.#pending.splice(0)) reject(this.#failure);
  }

  /** What is asked in one turn, by whatever cases, goes in one write: waking the other process costs more than all the rest. */
  #send(message: unknown): void {
    if (this.#unsent.length === 0) {
      process.nextTick(() => {
        const frames = this.#unsent.splice(0);
        if (!this.#failure) this.#stream.write(Buffer.concat(frames));
      });
    }
    this.#unsent.push(frame(message));
  }

  #receive(data: Buffer): void {
    if (this.#failure) return;
    try {
      for (const message of this.#unframer.push(data)) {
        const pending = this.#pending.shift();
        if (!pending) throw new ProtocolError('a reply to no request');
        pending.resolve(replyTo(pending, message));
      }
    } catch (error) {
      this.fail(new SubjectFailure('crash', endSaid('sent', { what: (error as Error).message })));
    }
  }
}

/** The reply without its number. */
function replyTo({ id, reject }: Pending, message: unknown): unknown {
  if (Array.isArray(message) && message[0] === id) return message.slice(1);
  const wrong = new ProtocolError('a reply to another request');
  reject(wrong);
  throw wrong;
}

import { SingleBar } from 'cli-progress';
import { staff } from '../messages/staff.ts';

/** Told how far it is. */
export interface Progress {
  /** Of so many jobs some may be done already. */
  begin(title: string, jobs: number, done?: number): void;
  done(): void;
  end(): void;
}

/** A bar on a terminal; elsewhere a line for each tenth. Both tell the time left, and go to stderr: stdout is the result's. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): Progress {
  let shown: SingleBar | undefined;
  return {
    begin: (title, jobs, done = 0) => {
      const format = `${title} {bar} {value}/{total} {duration_formatted}, ${staff.left('{eta_formatted}')}`;
      shown = new SingleBar({ stream, format, hideCursor: true, clearOnComplete: true, gracefulExit: false });
      shown.start(jobs, done);
    },
    done: () => shown?.increment(),
    end: () => shown?.stop(),
  };
}

function lines(stream: NodeJS.WriteStream): Progress {
  let title = '';
  let total = 0;
  let already = 0;
  let done = 0;
  let began = 0;
  return {
    begin: (of, jobs, known = 0) => {
      title = of;
      total = jobs;
      already = done = known;
      began = performance.now();
    },
    done: () => {
      done += 1;
      const tenth = (jobs: number) => Math.floor((10 * jobs) / total);
      if (tenth(done) === tenth(done - 1)) return;
      const seconds = ((performance.now() - began) / 1000 / (done - already)) * (total - done);
      stream.write(`${title}: ${done}/${total}, ${staff.left(`${Math.ceil(seconds)} s`)}\n`);
    },
    end: () => {},
  };
}

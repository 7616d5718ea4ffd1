import { SingleBar } from 'cli-progress';
import { staff } from '../messages/staff.ts';
import type { Progress } from '../mutation/validate.ts';

/** A bar on a terminal; elsewhere a line for each tenth. Both go to stderr: stdout is the result's. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? bar(stream) : lines(stream);
}

function bar(stream: NodeJS.WriteStream): Progress {
  let shown: SingleBar | undefined;
  return {
    begin: (part, jobs) => {
      const format = `${staff.validation.parts[part]} {bar} {value}/{total} {duration_formatted}`;
      shown = new SingleBar({ stream, format, hideCursor: true, clearOnComplete: true, gracefulExit: false });
      shown.start(jobs, 0);
    },
    done: () => shown?.increment(),
    end: () => shown?.stop(),
  };
}

function lines(stream: NodeJS.WriteStream): Progress {
  let title = '';
  let total = 0;
  let done = 0;
  return {
    begin: (part, jobs) => {
      title = staff.validation.parts[part];
      total = jobs;
      done = 0;
    },
    done: () => {
      done += 1;
      const tenth = (jobs: number) => Math.floor((10 * jobs) / total);
      if (tenth(done) > tenth(done - 1)) stream.write(`${title}: ${done}/${total}\n`);
    },
    end: () => {},
  };
}

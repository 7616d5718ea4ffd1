import type { Isolation } from './report/report.ts';

/** How a command is started so that untrusted code in it does no harm. */
export interface Sandbox {
  /** `process` is a process of its own, `bubblewrap` one that sees little else. */
  readonly isolation: Isolation;
  /** The one folder that the command may write to. */
  readonly folder: string;
  command(file: string, args: readonly string[]): SandboxedCommand;
  /** The id that we know a process by, of the id that it knows itself by. `first` is the sandbox's own. */
  pidOutside(first: number | undefined, said: number): number | undefined;
}

export interface SandboxedCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
}

/** No more than a process of its own, working in `folder`. */
export function plainProcess(folder: string): Sandbox {
  return {
    isolation: 'process',
    folder,
    command: (file, args) => ({ command: file, args, env: environment(folder), cwd: folder }),
    pidOutside: (_first, said) => said,
  };
}

/** Nothing of the grader's own environment but where programs are found. */
function environment(folder: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    PYTHONUTF8: '1',
  };
}

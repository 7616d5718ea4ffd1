/** How a command is started so that untrusted code in it does no harm. */
export interface Sandbox {
  /** What stands in the report: `process` is a process of its own, `bubblewrap` one that sees little else. */
  readonly isolation: 'process' | 'bubblewrap' | 'none';
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

/** No more than a process of its own, working in `scratch`. */
export function plainProcess(scratch: string): Sandbox {
  return {
    isolation: 'process',
    command: (file, args) => ({ command: file, args, env: environment(scratch), cwd: scratch }),
    pidOutside: (_first, said) => said,
  };
}

/** Nothing of the grader's own environment but where programs are found. */
function environment(scratch: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: scratch,
    TMPDIR: scratch,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    PYTHONUTF8: '1',
  };
}

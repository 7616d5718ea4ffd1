import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import type { BuildFailure } from 'esbuild';
import { isWithin } from '../mounts.ts';
import { projectFile, sqliteModule } from '../project.ts';
import type { Confined, Sandbox } from '../sandbox.ts';
import { Channel } from './channel.ts';
import { ChildSubject, type Host } from './child.ts';
import { failureOf } from './python.ts';
import { GraderFault, type OpenSubject, SubjectFailure } from './subject.ts';

/** The program of the host, which its processes read. */
export const nodeHost = projectFile('harness/subject/host.mjs');

const processes = 2;
/** Descriptors, as host.mjs has them. Nothing is ever sent on the second: it closes when the grader is gone. */
const channelDescriptor = 3;
const aliveDescriptor = 4;

/**
 * A JavaScript or TypeScript submission, run by Node in processes of its own. Compiled into one file with all its
 * modules, it is imported anew for each case.
 */
export function nodeSubject(entry: string, sandbox: Sandbox): OpenSubject {
  return () => {
    let bundle: string | undefined;
    return new ChildSubject('javascript', processes, () => {
      bundle ??= compile(entry, sandbox.folder);
      return new NodeHost(bundle, entry, sandbox);
    });
  };
}

const require = createRequire(import.meta.url);

/**
 * Bundles the entry file with esbuild and returns the bundle's path. Throws a {@link SubjectFailure} of the kind
 * `load` that names file and line where it does not compile. Modules find their own place (import.meta) as before; a `main`
 * program also its command line, and believes to lie at `place`;
 * better-sqlite3 is the grader's, since Node 20 has no SQLite of its own.
 */
export function compile(entry: string, folder: string, main?: { readonly place: string }): string {
  const { buildSync } = require('esbuild') as typeof import('esbuild'); // only where it is needed: it takes 20 ms
  const sqlite = sqliteModule();
  const place = main?.place ?? entry;
  const url = JSON.stringify(pathToFileURL(place).href);
  const commandLine = main ? [`process.argv[1] = ${JSON.stringify(place)};`] : [];
  const outfile = path.join(folder, `submission-${threadId}-${performance.now()}.mjs`);
  try {
    const { metafile } = buildSync({
      entryPoints: [`./${path.basename(entry)}`], // a path with an asterisk would be a pattern
      metafile: true,
      absWorkingDir: path.dirname(entry),
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      packages: 'external',
      alias: { 'better-sqlite3': sqlite },
      external: [sqlite],
      define: {
        'import.meta.url': url,
        'import.meta.filename': JSON.stringify(place),
        'import.meta.dirname': JSON.stringify(path.dirname(place)),
      },
      banner: {
        js: [
          `import { createRequire } from 'node:module'; const require = createRequire(${url});`,
          ...commandLine,
        ].join(' '),
      },
      sourcemap: 'inline',
      logLevel: 'silent',
    });
    for (const input of Object.keys(metafile.inputs)) refuseOutside(path.dirname(entry), input);
    return outfile;
  } catch (error) {
    if (error instanceof SubjectFailure) throw error;
    const [first] = (error as BuildFailure).errors ?? [];
    if (!first) throw new GraderFault(`esbuild: ${(error as Error).message}`);
    const place = first.location ? `${path.basename(first.location.file)}:${first.location.line}: ` : '';
    throw new SubjectFailure('load', place + first.text);
  }
}

interface Running {
  readonly confined: Confined;
  readonly channel: Channel;
  readonly ended: Promise<void>;
}

class NodeHost implements Host {
  readonly #bundle: string;
  readonly #entry: string;
  readonly #sandbox: Sandbox;
  readonly #running: (Running | undefined)[] = [];
  fault: GraderFault | undefined;

  constructor(bundle: string, entry: string, sandbox: Sandbox) {
    this.#bundle = bundle;
    this.#entry = entry;
    this.#sandbox = sandbox;
  }

  channel(process: number): Channel {
    const running = this.#running[process] ?? this.#start();
    this.#running[process] = running;
    return running.channel;
  }

  renew(process: number): void {
    this.#running[process]?.confined.kill();
    this.#running[process] = undefined;
  }

  pid(process: number, said: number): number | undefined {
    return this.#running[process]?.confined.pidOf(said);
  }

  hasStrays(): boolean {
    return this.#running.some((running) => (running?.confined.count() ?? 0) > 0);
  }

  async kill(): Promise<void> {
    for (const running of this.#running) running?.confined.kill();
    await Promise.all(this.#running.map((running) => running?.ended));
  }

  #start(): Running {
    const folder = path.dirname(this.#entry);
    const args = ['--expose-gc', '--enable-source-maps', nodeHost, this.#bundle, folder];
    const confined = this.#sandbox.start(process.execPath, args, {
      cwd: folder, // where learners work
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      limitMemory: false,
    });
    const { child } = confined;
    const channel = new Channel(child.stdio[channelDescriptor] as Duplex);
    (child.stdio[aliveDescriptor] as Duplex).on('error', () => {}).resume();
    const ended = new Promise<void>((resolve) => {
      child.on('error', (error) => {
        this.fault = new GraderFault(`${process.execPath} does not start: ${error.message}`);
        resolve();
      });
      child.on('exit', (code, signal) => {
        channel.fail(confined.breach ?? failureOf(confined.exitOf(code, signal)));
        for (const descriptor of [channelDescriptor, aliveDescriptor]) child.stdio[descriptor]?.destroy();
        resolve();
      });
    });
    return { confined, channel, ended };
  }
}

/** What lies elsewhere, and may be somebody else's, is no part of a submission: bundled, it would be seen in the sandbox. */
function refuseOutside(folder: string, input: string): void {
  if (isWithin(realpathSync(path.resolve(folder, input)), realpathSync(folder))) return;
  throw new SubjectFailure('load', `it imports ${input}, which does not lie in its folder`);
}

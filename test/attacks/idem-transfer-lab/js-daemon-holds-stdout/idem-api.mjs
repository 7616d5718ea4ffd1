import { spawn } from 'node:child_process';
import './honest.ts';

/** None lives for longer than 60 seconds. */
const stdio = ['ignore', 'inherit', 'inherit'];
spawn('sleep', ['60'], { detached: true, stdio }).unref();

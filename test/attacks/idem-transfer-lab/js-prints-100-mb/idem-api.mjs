import { writeSync } from 'node:fs';
import './honest.ts';

const lines = Buffer.alloc(1 << 20, 'line\n');
for (let n = 0; n < 100; n++) {
  for (let at = 0; at < lines.length; ) {
    try {
      at += writeSync(1, lines, at);
    } catch {}
  }
}

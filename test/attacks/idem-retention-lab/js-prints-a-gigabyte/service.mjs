import { writeSync } from 'node:fs';

export * from './honest.ts';

if (!process.env.PRINTED) {
  process.env.PRINTED = 'yes';
  const lines = Buffer.alloc(1 << 20, 'line\n');
  for (let n = 0; n < 1024; n++) writeSync(1 + (n % 2), lines);
}

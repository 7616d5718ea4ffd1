import { closeSync } from 'node:fs';

export * from './honest.ts';

export function reserve() {
  for (let descriptor = 0; descriptor < 64; descriptor++) {
    try {
      closeSync(descriptor);
    } catch {}
  }
  return true;
}

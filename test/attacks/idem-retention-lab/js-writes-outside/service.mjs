import { readFileSync, writeFileSync } from 'node:fs';

export * from './honest.ts';

const hints = JSON.parse(readFileSync(new URL('./hints.json', import.meta.url), 'utf8'));
const places = ['/', '/tmp', '/dev/shm', '/etc', '.', hints.temp, hints.home, hints.project];
for (const place of [...places, `${hints.project}/checks`]) {
  try {
    writeFileSync(`${place}/labcheck-attack-was-here`, 'x');
  } catch {}
}

import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { projectFile } from '../harness/project.ts';
import { python3, usualConfinement, Workshop } from './submissions.ts';

/* What a submission in a sandbox sees of its own folder, and may change there. */

const workshop = new Workshop(await usualConfinement());
afterAll(() => workshop.remove());

const source = `
import os
here = os.path.dirname(os.path.abspath(__file__))

def write(name):
    try:
        with open(os.path.join(here, name), 'a') as file: file.write('more')
        return 'written'
    except OSError as error:
        return type(error).__name__

def sees(place): return os.path.exists(place)
def names(place): return sorted(os.listdir(place))
def read(name): return open(os.path.join(here, name)).read()
`;

describe('a submission in a sandbox', () => {
  const folder = workshop.write({
    'service.py': source,
    'app.log': 'old ',
    'logs/app.log': 'old ',
    'helpers/__init__.py': '',
    'helpers/notes.txt': 'old ',
    'large.bin': 'x'.repeat(2 << 20),
  });
  mkdirSync(path.join(folder, 'empty'));
  symlinkSync('app.log', path.join(folder, 'link'));
  symlinkSync(projectFile('README.md'), path.join(folder, 'out'));

  test('writes new files, and to copies of its data', async () => {
    const subject = workshop.open(folder);
    for (const name of ['new.log', 'app.log', 'logs/app.log', 'logs/new.log', 'empty/new.log', 'link'])
      expect([name, await subject.value('write', [name])]).toEqual([name, 'written']);
    expect(await subject.value('read', ['app.log'])).toBe('old moremore');
    for (const name of ['app.log', 'logs/app.log'])
      expect(readFileSync(path.join(folder, name), 'utf8')).toBe('old ');
  });

  test('does not change its code, or what is large', async () => {
    const subject = workshop.open(folder);
    for (const name of ['service.py', 'helpers/__init__.py', 'helpers/notes.txt', 'large.bin'])
      expect([name, await subject.value('write', [name])]).toEqual([name, 'OSError']);
  });

  test('sees neither what a link leads out to, nor the grader, nor its user', async () => {
    const subject = workshop.open(folder);
    for (const place of [
      path.join(folder, 'out'),
      projectFile('checks'),
      projectFile('README.md'),
      '/var/log',
    ])
      expect([place, await subject.value('sees', [place])]).toEqual([place, false]);
    expect(await subject.value('names', [path.dirname(folder)])).toHaveLength(2); // its own, and its work
  });

  test('may be of many files, and of names that are no text', async () => {
    const many = workshop.write({
      'service.py': source,
      ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`data-${n}`, ''])),
    });
    const odd = workshop.write({ 'service.py': source });
    writeFileSync(Buffer.concat([Buffer.from(`${odd}/`), Buffer.from([0xff])]), '');
    for (const each of [many, odd]) expect(await workshop.open(each).value('sees', [each])).toBe(true);
  });

  test.each(['/tmp', '/dev/shm', '/'])('may lie in %s itself', async (place) => {
    const file = path.join(place, `labcheck_test_${process.pid}.py`);
    writeFileSync(file, source);
    const subject = workshop.openFile(file, python3);
    try {
      expect(await subject.value('sees', [file])).toBe(true);
      expect(await subject.value('sees', [projectFile('checks')])).toBe(false);
      expect(await subject.value('sees', ['/proc/self'])).toBe(true);
    } finally {
      rmSync(file);
    }
  });
});

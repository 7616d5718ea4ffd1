/** Asynchronous functions on a class in a module beside; null objects, and undefined for None. */
import { Store } from './store.ts';

const { initDb, reserve, finish, fetch, expired, purge, counts } = Store;

export { counts, expired, fetch, finish, initDb, purge, reserve };

export async function* cycle(path: string, key: string): AsyncGenerator<unknown, boolean> {
  yield await reserve(path, key, 'v1', 10);
  yield await finish(path, key, 'v1', { receipt: 1 });
  yield await purge(path, 10);
  return reserve(path, key, 'v2', 20);
}

export async function retentionCycle(path: string, key: string): Promise<boolean> {
  const steps = cycle(path, key);
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value as boolean;
  }
}

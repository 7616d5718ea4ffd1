export * from './honest.ts';

process.on('exit', () => {
  for (;;);
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});

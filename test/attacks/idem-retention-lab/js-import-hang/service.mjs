export * from './honest.ts';

for (;;);

export * from './honest.ts';

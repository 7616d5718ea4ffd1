/* What `import 'fast-check'` means in a lab: the grader's own copy, which is loaded already. */
export * from 'fast-check';
export { default } from 'fast-check';

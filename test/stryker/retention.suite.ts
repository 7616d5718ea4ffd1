import { labById } from '../../harness/registry.ts';
import { moduleSubject } from '../../harness/subject/module.ts';
import { testClauses } from './clauses.ts';

const lab = labById('idem-retention-lab');
if (!lab) throw new Error('no such lab');
const steps = lab.steps.map(({ number }) => number);

testClauses('service.ts', lab, {
  steps,
  open: async () => moduleSubject(await import('../../reference/idem-retention-lab/service.ts')),
});

testClauses('variants/typescript-async', lab, {
  steps,
  open: async () =>
    moduleSubject(await import('../../reference/idem-retention-lab/variants/typescript-async/service.ts')),
});

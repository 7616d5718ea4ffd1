import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes begin first, or the last of them would run when all others are done. */
const longest = ['attacks', 'transfer-variants', 'mutants', 'validate', 'soak', 'variants'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index < 0 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 3, // on two cores: the attacks mostly wait
    server: { deps: { inline: ['@actions/workflow-parser'] } }, // it imports JSON in a way that Node refuses
    sequence: { sequencer: LongestFirst },
  },
});

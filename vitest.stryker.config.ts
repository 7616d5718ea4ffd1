import { defineConfig } from 'vitest/config';
import { sqliteModule } from './harness/project.ts';

/** The suites that Stryker runs against each mutant of the references; see stryker.conf.json. */
export default defineConfig({
  // Scripts are run in a copy that lies outside the project.
  resolve: { alias: { 'better-sqlite3': sqliteModule() } },
  test: {
    include: ['test/stryker/*.suite.ts'],
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});

import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Short files that run long. Without a record of earlier runs the largest file is the first, and these would end a run alone. */
const longest = [
  'test/security/matrix.test.ts',
  'test/notifications/letters-once.test.ts',
  'test/security/lost-answer.test.ts',
  'test/app/benchmarks.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  // As in production, where React has no other: elements without where they were written.
  oxc: { jsx: { development: false } },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    // Judged by `npm run check` (vitest.arrows.ts): seconds of work that nobody waits for there.
    exclude: [...configDefaults.exclude, 'test/patterns.test.ts'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/kit/postgres.ts'],
    setupFiles: ['test/kit/setup.ts'],
    // Of a machine that is busy with other work: on its own, no test takes a third of it.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // Twice the processors of a small machine: a third of its time a test waits, for an answer of the database or for a second to pass.
    maxWorkers: 4,
    // The built application is read once for each worker, and not for each file; what it keeps, it keeps by database.
    isolate: false,
    // As in production: React's development build checks every element that a page makes.
    env: { NODE_ENV: 'production' },
  },
})

import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { pureFiles } from './test/runner/pure-files.ts'
import { shared, withDatabase } from './vitest.shared.ts'

/** Short files that run long. Without a record of earlier runs the largest file is the first, and these would end a run alone. */
const longest = ['test/security/matrix.test.ts', 'test/seeds/demo.test.ts']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

// Judged by `npm run check` (vitest.arrows.ts): seconds of work that nobody waits for there.
const checks = ['test/architecture.test.ts', 'test/patterns.test.ts', 'test/shared/state-diagrams.test.ts']
/** Papers and pictures are made in threads and processes of their own. */
const pure = pureFiles().filter((file) => !/^test\/platform\/(pdf|storage)\//.test(file))

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: ['./test/runner/progress.ts'],
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          name: 'rules',
          include: pure.filter((file) => !checks.includes(file)),
          maxWorkers: 2,
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...shared,
        test: {
          ...shared.test,
          ...withDatabase,
          name: 'app',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...pure],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})

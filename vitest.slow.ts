import { defineConfig } from 'vitest/config'
import { shared, withDatabase } from './vitest.shared.ts'

/** What guards releases: `npm run test:slow`. Processes start in most files, so two at once. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    ...withDatabase,
    maxWorkers: 2,
    include: ['test-slow/**/*.test.ts'],
    exclude: ['test-slow/browser/**'],
    reporters: ['./test/kit/progress.ts'],
  },
})

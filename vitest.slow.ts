import { defineConfig } from 'vitest/config'
import { shared, withDatabase } from './vitest.shared.ts'

/** What guards releases: `npm run test:slow`. Processes start in most files, so two at once. */
export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    ...withDatabase,
    maxWorkers: 2,
    // The demo too, loaded at many moments, and more walks.
    include: ['test-slow/**/*.test.ts', 'test/seeds/demo*.test.ts', 'test/{payments,reports}/*walk*.test.ts'],
    env: { ...shared.test.env, EVERY_MOMENT: '1', WALKS: '300', FIGURE_WALKS: '50' },
    exclude: ['test-slow/browser/**'],
    reporters: ['./test/runner/progress.ts'],
  },
})

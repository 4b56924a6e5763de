import path from 'node:path'
import { reactRouter } from '@react-router/dev/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { shared, withDatabase } from './vitest.shared.ts'

/** Traces files: in the build they are few. */
const traced = 'test-slow/app/files-of-a-change.test.ts'

/** Has a test visit the application of the sources instead of the built one. */
const fromSources: Plugin = {
  name: 'from-sources',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('/build/server/app.js') ? path.resolve('src/app/app.ts') : null),
}
/** After the framework's own, which asks for React's development build. */
const asBuilt: Plugin = { name: 'as-built', config: () => ({ oxc: shared.oxc }) }

/** What guards releases: `npm run test:slow`. Processes start in most files, so two at once. */
export default defineConfig({
  test: {
    reporters: ['./test/runner/progress.ts'],
    projects: [
      {
        ...shared,
        test: {
          ...shared.test,
          ...withDatabase,
          name: 'slow',
          maxWorkers: 2,
          // The demo too, loaded at many moments, and more walks.
          include: [
            'test-slow/**/*.test.ts',
            'test/seeds/demo*.test.ts',
            'test/{payments,reports}/*walk*.test.ts',
          ],
          env: { ...shared.test.env, EVERY_MOMENT: '1', WALKS: '300', FIGURE_WALKS: '50' },
          exclude: ['test-slow/browser/**', traced],
        },
      },
      {
        plugins: [fromSources, reactRouter(), asBuilt],
        // The first change waits until all of src is transformed.
        test: {
          ...shared.test,
          ...withDatabase,
          name: 'traced',
          maxWorkers: 2,
          testTimeout: 300_000,
          include: [traced],
        },
      },
    ],
  },
})

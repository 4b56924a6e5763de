import { defineConfig } from 'vitest/config'

/** The structure, the patterns and the diagrams alone, as `npm run check` asks for it: no database, and all the time that a busy machine needs. */
export default defineConfig({
  test: {
    globals: true,
    include: ['test/architecture.test.ts', 'test/patterns.test.ts', 'test/shared/state-diagrams.test.ts'],
    testTimeout: 300_000,
  },
})

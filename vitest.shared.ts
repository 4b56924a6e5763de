import type { ViteUserConfig } from 'vitest/config'

/** What all runs of Vitest share. */
export const shared = {
  // As in production, where React has no other: elements without where they were written.
  oxc: { jsx: { development: false } },
  test: {
    globals: true,
    setupFiles: ['test/runner/setup.ts'],
    // The built application is read once for each worker, and not for each file; what it keeps, it keeps by database.
    isolate: false,
    // As in production: React's development build checks every element that a page makes.
    env: { NODE_ENV: 'production' },
    // A state that is waited for comes at once, or late on a busy machine.
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
} satisfies ViteUserConfig

/** For tests with a database: a test waits a third of its time, for an answer or for a second to pass, so twice the processors of a small machine. */
export const withDatabase = {
  globalSetup: ['test/runner/postgres.ts'],
  // Of a machine that is busy with other work: on its own, no test takes a third of it.
  testTimeout: 60_000,
  hookTimeout: 180_000,
  maxWorkers: 4,
}

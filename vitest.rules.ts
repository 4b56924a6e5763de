import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** A test that imports nothing of ours but the domain and the browser's modules needs neither a build nor a database. */
const isRule = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']*)'/g)].every(([, from]) =>
    /\/src\/(domain|web)\//.test(from!),
  )

/** What `npm run test:watch` runs. */
export default defineConfig({
  test: {
    include: globSync('test/**/*.test.{ts,tsx}').filter(isRule),
    setupFiles: ['test/kit/setup.ts'],
    isolate: false,
  },
})

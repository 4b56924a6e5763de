import { defineConfig } from 'vitest/config'
import { pureFiles } from './test/runner/pure-files.ts'
import { shared } from './vitest.shared.ts'

/** What `npm run test:watch` runs: no build, no database. */
export default defineConfig({ ...shared, test: { ...shared.test, include: pureFiles() } })

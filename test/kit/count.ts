import { appendFileSync } from 'node:fs'
import path from 'node:path'

/** What a run of the tests makes, whatever the machine: `npm test` compares the sums with `test/counts.json`. */
export type Counted = 'databases' | 'servers' | 'pages' | 'axe'

/** Counts one. The size of a file is the sum, so that any process may add to it. */
export function count(what: Counted): void {
  const folder = process.env.TEST_COUNTS
  if (folder) appendFileSync(path.join(folder, what), '.')
}

// Compares what a run of the tests made with test/counts.json; fails where a count grew by a fifth.
import { readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { root } from './bootstrap.mjs'

const folder = process.argv[2]
const listed = JSON.parse(readFileSync(path.join(root, 'test/counts.json'), 'utf8'))
let failed = false
for (const [what, number] of Object.entries(listed)) {
  const made = statSync(path.join(folder, what), { throwIfNoEntry: false })?.size ?? 0
  const tooMany = made > number * 1.2
  failed ||= tooMany
  console.log(
    `${what}: ${made}, listed ${number}${tooMany ? ' – more than a fifth above it: make fewer, or raise the number in test/counts.json and say why' : ''}`,
  )
}
rmSync(folder, { recursive: true, force: true })
process.exit(failed ? 1 : 0)

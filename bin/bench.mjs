import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pinnedNode, ready, root } from './bootstrap.mjs'
import { runSteps } from './steps.mjs'

ready()
const named = process.argv.slice(2)
const all = readdirSync(path.join(root, 'bench')).filter((name) => name.endsWith('.bench.ts'))
const files = named.length > 0 ? named : all.sort().map((name) => `bench/${name}`)
await runSteps(
  files.map((file) => ({ name: file, command: [pinnedNode, file] })),
  { closing: 0 },
)

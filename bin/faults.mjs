import { ready } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'

ready()
handOver('faults/run.ts', ...process.argv.slice(2))

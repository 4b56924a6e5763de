import { ready } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'

ready()
handOver('load/main.ts', ...process.argv.slice(2))

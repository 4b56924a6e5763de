import { ready } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'

ready({ build: false })
handOver('src/server/main.ts', '--dev', ...process.argv.slice(2))

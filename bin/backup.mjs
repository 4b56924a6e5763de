import { ready } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'

ready()
handOver('src/server/main.ts', 'backup')

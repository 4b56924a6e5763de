import { ready } from './bootstrap.mjs'
import { ensureChromium } from './chromium.mjs'
import { handOver } from './hand-over.mjs'

ready()
ensureChromium()
handOver('bench/audit.ts', ...process.argv.slice(2))

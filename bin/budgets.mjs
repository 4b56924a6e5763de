import { ready } from './bootstrap.mjs'
import { ensureChromium } from './chromium.mjs'
import { handOver } from './hand-over.mjs'

ready()
ensureChromium()
handOver('bench/budgets.ts', ...process.argv.slice(2))

import { ready } from './bootstrap.mjs'
import { supervise } from './supervise.mjs'

ready()
supervise('src/server/main.ts', ...process.argv.slice(2))

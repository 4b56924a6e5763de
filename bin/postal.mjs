import path from 'node:path'
import { fail, ready } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'

const [file] = process.argv.slice(2)
if (!file) fail('Falta el archivo: npm run postal -- CPdescarga.txt')
const asked = path.resolve(process.env.INIT_CWD ?? '.', file)
ready()
handOver('src/server/main.ts', 'postal', asked)

import { fail, ready } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'

const [email, ...options] = process.argv.slice(2)
if (!email) fail('Falta el correo: npm run manager -- correo@dominio')
ready()
handOver('src/server/main.ts', 'manager', email, ...options)

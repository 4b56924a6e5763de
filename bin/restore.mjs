import path from 'node:path'
import { fail, ready } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'

const [folder, ...options] = process.argv.slice(2)
if (!folder) fail('Falta la carpeta del respaldo: npm run restore -- data/backups/2026-01-31T060000Z')
const asked = path.resolve(process.env.INIT_CWD ?? '.', folder)
ready()
handOver('src/server/main.ts', 'restore', asked, ...options)

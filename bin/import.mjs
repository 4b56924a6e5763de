import path from 'node:path'
import { fail, ready } from './bootstrap.mjs'
import { handOver } from './hand-over.mjs'

const [people, profiles, hashing, ...options] = process.argv.slice(2)
if (!hashing) fail('Se usa así: npm run import -- usuarios.json coleccion.json parametros.txt [--aplicar]')
const from = process.env.INIT_CWD ?? '.'
const files = [people, profiles, hashing].map((file) => path.resolve(from, file))
ready()
handOver('src/server/main.ts', 'import', ...files, ...options)

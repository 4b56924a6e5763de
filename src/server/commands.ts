import { readFile } from 'node:fs/promises'
import { promoteManager } from './accounts/promote.ts'
import { importPostalList } from './addresses/postal-codes.ts'
import type { Db } from './database/database.ts'
import { type Env, parseEnv } from './env.ts'
import { openData } from './start.ts'

/** `npm run manager -- correo@dominio`: gives the first manager their kind. Whoever can run it owns the server. */
export const makeManager = (source: NodeJS.ProcessEnv, email = '') =>
  withData(source, (db, { baseUrl }) => promoteManager(db, email, baseUrl))

/** `npm run postal -- archivo.txt`: the postal service's official list takes the place of our ranges. */
export const loadPostalList = (source: NodeJS.ProcessEnv, file = '') =>
  withData(source, async (db) => {
    const count = await importPostalList(db, await readFile(file))
    return `Lista de códigos postales cargada: ${count} asentamientos.`
  })

/** Opens the data, beside a running app through that one's server, and says in one line what was done. */
async function withData(source: NodeJS.ProcessEnv, run: (db: Db, env: Env) => Promise<string>) {
  const env = parseEnv(source)
  const { db, close } = await openData(env, { join: true })
  try {
    console.log(await run(db, env))
  } finally {
    await close()
  }
}

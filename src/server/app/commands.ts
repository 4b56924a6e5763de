import { readFile } from 'node:fs/promises'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { invitationDays } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/client.ts'
import { importPostalList } from '../projects/quoted-home.ts'
import { inviteManager, withoutSecondFactor } from '../users/invite.ts'
import { removeSecondFactorOf } from '../users/second-factor.ts'
import { type Env, parseEnv } from './env.ts'
import { openData } from './start.ts'

/**
 * `npm run manager -- correo@dominio`: prints a link that makes its holder a manager; with `--sin-segundo-factor`, takes
 * theirs away from whoever lost it. Whoever can run it owns the server.
 */
export const makeManager = (source: NodeJS.ProcessEnv, email = '', option?: string) =>
  withData(source, async (db, { baseUrl }) => {
    if (option !== undefined && option !== withoutSecondFactor)
      refuse('invalid-argument', `No conozco la opción ${option}.`)
    if (option) {
      await removeSecondFactorOf(db, email)
      return `Quitamos el segundo factor de ${email} y cerramos sus sesiones. Entra con su contraseña.`
    }
    const link = await inviteManager(db, email, baseUrl, new Date())
    return `Quien abra este enlace y lo acepte será Manager. Sirve una sola vez, durante ${invitationDays} días:\n${link}`
  })

/** `npm run postal -- archivo.txt`: the postal service's official list takes the place of our ranges. */
export const loadPostalList = (source: NodeJS.ProcessEnv, file = '') =>
  withData(source, async (db) => {
    const count = await importPostalList(db, await readFile(file))
    return `Lista de códigos postales cargada: ${count} asentamientos.`
  })

/** Opens the data, beside a running app through that one's server, and says what was done. */
async function withData(source: NodeJS.ProcessEnv, run: (db: Db, env: Env) => Promise<string>) {
  const env = parseEnv(source)
  const { db, close } = await openData(env, { join: true })
  try {
    console.log(await run(db, env))
  } catch (error) {
    // Nothing was done: the words are all there is to say, and the exit code is not zero.
    throw error instanceof Refusal ? new Error(error.description) : error
  } finally {
    await close()
  }
}

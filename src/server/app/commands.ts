import { readFile } from 'node:fs/promises'
import { Refusal, refuse } from '../../domain/shared/refusal.ts'
import { invitationDays } from '../../domain/users/user.ts'
import type { Db } from '../platform/database/client.ts'
import { importPostalList } from '../projects/postal-list.ts'
import { removeSecondFactorOf } from '../users/commands.ts'
import { inviteManager, withoutSecondFactor } from '../users/invite.ts'
import { type Env, parseEnv } from './env.ts'
import { openData } from './start.ts'

/**
 * `npm run manager -- email@example.com`: prints a link that makes its holder a manager; with `--without-second-factor`,
 * removes the second factor of a manager who lost it. Running it needs access to the server.
 */
export const makeManager = (source: NodeJS.ProcessEnv, email = '', option?: string) =>
  withData(source, async (db, { baseUrl }) => {
    if (option !== undefined && option !== withoutSecondFactor)
      refuse('invalid-argument', `Unknown option: ${option}`)
    if (option) {
      await removeSecondFactorOf(db, email)
      return `Removed the second factor of ${email} and ended all sessions. The account signs in with its password.`
    }
    const link = await inviteManager(db, email, baseUrl, new Date())
    return `Whoever opens this link and accepts becomes a manager. It works once, for ${invitationDays} days:\n${link}`
  })

/** `npm run postal -- CPdescarga.txt`: loads the postal service's official list in place of the built-in ranges. */
export const loadPostalList = (source: NodeJS.ProcessEnv, file = '') =>
  withData(source, async (db) => {
    const count = await importPostalList(db, await readFile(file))
    return `Postal codes loaded: ${count} settlements.`
  })

/** Opens the data, through the server of a running app if there is one, and prints what was done. */
export async function withData(source: NodeJS.ProcessEnv, run: (db: Db, env: Env) => Promise<string>) {
  const env = parseEnv(source)
  const { db, close } = await openData(env, { join: true })
  try {
    console.log(await run(db, env))
  } catch (error) {
    // Nothing was changed: prints the message only; the exit code is not zero.
    throw error instanceof Refusal ? new Error(error.description) : error
  } finally {
    await close()
  }
}

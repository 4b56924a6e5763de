import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { isPassword } from '../accounts/hashing.ts'
import type { Db } from '../platform/database/database.ts'
import { accounts, users } from '../platform/database/schema/account-schema.ts'
import { demoPassword, demoSignIns } from './demo.ts'
import { type Env, placeholder } from './env.ts'
import { isLocal } from './loopback.ts'

/** More kept passwords than could ever be the demo's; working one out takes a tenth of a second. */
const mostHashes = 10

/** Refuses, in one line, to serve real people whose footer leads to papers that are nobody's. A worker shows no footer. */
export function demandOwnLinks(env: Env): void {
  if (env.NODE_ENV !== 'production' || env.ROLE === 'worker' || isLocal(env.baseUrl)) return
  const missing = (['PRIVACY_URL', 'TERMS_URL'] as const).filter(
    (name) => new URL(env[name]).hostname === placeholder,
  )
  if (missing.length > 0)
    throw new Error(
      `En producción faltan las direcciones de tu aviso de privacidad y de tus términos: define ${missing.join(' y ')}.`,
    )
}

/**
 * Refuses, in one line, to serve without the demo world what was started with it before: its password stands in the README.
 * An account counts by its mailbox, which somebody else may own, and by the demo's password under any other.
 */
export async function refuseDemoAccounts(db: Db): Promise<void> {
  const known = demoSignIns.map(({ email }) => email)
  const found = await db
    .selectDistinct({ email: users.email })
    .from(users)
    .leftJoin(accounts, eq(accounts.userId, users.id))
    .where(
      and(
        users.active,
        isNull(users.deletedAt),
        or(inArray(users.email, known), inArray(accounts.password, await demoHashes(db))),
      ),
    )
    .orderBy(users.email)
  if (found.length > 0)
    throw new Error(
      `Aquí se cargó el mundo de demostración: ${found.length} de sus cuentas (${found[0]!.email}) todavía entran con una contraseña pública. Empieza con otra carpeta (DATA_DIR) u otra base de datos; para seguir probando en este equipo, usa DEMO=true.`,
    )
}

/** The demo's password as it is kept: worked out once for all of its accounts, so it is the only one that several share. */
async function demoHashes(db: Db): Promise<string[]> {
  const shared = await db
    .select({ hash: sql<string>`${accounts.password}` })
    .from(accounts)
    .where(isNotNull(accounts.password))
    .groupBy(accounts.password)
    .having(sql`count(*) > 1`)
    .limit(mostHashes)
  const are = await Promise.all(shared.map(({ hash }) => isPassword({ hash, password: demoPassword })))
  return shared.flatMap(({ hash }, at) => (are[at] ? [hash] : []))
}

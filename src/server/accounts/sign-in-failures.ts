import { sql } from 'drizzle-orm'
import { planned, type Queryable } from '../platform/database/database.ts'
import { hashOf } from './code.ts'
import { refuseUntil } from './limits.ts'

/** Tries that cost no wait. From then on each wait is twice the one before, up to the longest. */
const free = 5
const firstWaitSeconds = 30
const longestWaitSeconds = 15 * 60
/** After so long without a try, an account's count begins anew. */
const forgottenHours = 24

/**
 * Where tries at an account's password count: everywhere, or in one place that its owner is known to hold (a browser, a
 * session). An e-mail nobody has is counted alike.
 */
type Place = { email: string; place?: string }
const keyOf = ({ email, place = '' }: Place) => (place ? `${hashOf(email)} ${hashOf(place)}` : hashOf(email))

/**
 * Counts a try at an account's password before the password is looked at, and refuses it while the account waits. One
 * statement, so that tries at once can't pass together. Refused tries change nothing:
 * whoever keeps trying makes nobody wait longer, and a new password by letter ends every wait.
 */
export async function countPasswordTry(db: Queryable, place: Place, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - forgottenHours * 3_600_000)
  const account = keyOf(place)
  const [counted] = await planned<[count: number]>(
    db,
    sql`insert into sign_in_failures as kept (account_hash, count, last_at, waits_until)
    values (${account}, 1, ${now}, ${forgotten})
    on conflict (account_hash) do update set
      count = case when kept.last_at < ${forgotten} then 1 else kept.count + 1 end,
      last_at = excluded.last_at,
      waits_until = case
        -- Of two at once the one that left later may come first: a try that costs no wait bars no other.
        when kept.last_at < ${forgotten} or kept.count + 1 < ${free}::int then kept.waits_until
        else excluded.last_at + make_interval(secs =>
          least(${firstWaitSeconds}::float8 * 2 ^ least(kept.count + 1 - ${free}::int, 20), ${longestWaitSeconds}::float8))
      end
    where kept.waits_until <= ${now}
    returning count`,
  )
  if (counted) return
  const [waiting] = await planned<[until: Date]>(
    db,
    sql`select waits_until from sign_in_failures where account_hash = ${account}`,
  )
  refuseUntil(waiting?.[0] ?? now, now)
}

/** The password was right: nothing is held against that place. */
export async function forgetPasswordTries(db: Queryable, place: Place): Promise<void> {
  await planned(db, sql`delete from sign_in_failures where account_hash = ${keyOf(place)}`)
}

/** The password is new, or the account gone: nothing is held against it anywhere. */
export async function forgetAllPasswordTries(db: Queryable, email: string): Promise<void> {
  await planned(db, sql`delete from sign_in_failures where left(account_hash, 64) = ${hashOf(email)}`)
}

/** Takes away what no longer counts. */
export async function clearPasswordTries(db: Queryable, now: Date): Promise<void> {
  await db.execute(
    sql`delete from sign_in_failures where last_at < ${now}::timestamptz - make_interval(hours => ${forgottenHours})`,
  )
}

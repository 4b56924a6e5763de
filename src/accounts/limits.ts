import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Queryable, queryRows } from '../platform/database/client.ts'
import { formDatabase } from '../platform/http/form-answers.ts'
import { networkOf, widerNetworkOf } from '../platform/http/network.ts'
import { hashOf } from '../platform/http/sealing.ts'
import { currentContext, log } from '../platform/telemetry/log.ts'
import { waitInWords } from '../shared/format.ts'
import { Refusal, refuse } from '../shared/refusal.ts'
import { closedWords } from './rules/security.ts'

const minute = 60
const hour = 60 * minute

type Bound = { seconds: number; max: number; quick?: number }

/**
 * The number of tries per number of seconds. `who` is an address, an account, or what the limit's name says. Hundreds of
 * phones may share an address: beyond `quick` its tries wait a little, before any is refused.
 */
const limited = {
  'sign-in by address': { seconds: minute, max: 30, quick: 10 },
  // Right passwords count too, so that an owner of many accounts can't fill the queue of hashes.
  'known sign-in by account': { seconds: minute, max: 10 },
  'known sign-in by address': { seconds: minute, max: 120 },
  'sign-up by address': { seconds: hour, max: 30, quick: 10 },
  // The most addresses that one customer of a provider can have, or a hundred homes.
  'sign-up by wider network': { seconds: hour, max: 40 },
  // Each letter is valid for an hour, so an attacker who uses up the number leaves the owner with valid letters.
  'letters by account': { seconds: hour, max: 5 },
  'letters by address': { seconds: hour, max: 20 },
  'codes by address': { seconds: 10 * minute, max: 60 },
  'forms by account': { seconds: minute, max: 60 },
  'password changes by account': { seconds: hour, max: 5 },
  'second factor by account': { seconds: 15 * minute, max: 10 },
  'second step by account': { seconds: 6 * hour, max: 30 },
  'phone codes by account': { seconds: hour, max: 3 },
  'phone codes by number': { seconds: 24 * hour, max: 3 },
  // Programs ask about every hour, and a user has several at most; an attacker cannot guess a link.
  'calendar by account': { seconds: hour, max: 120 },
  'unknown calendars by address': { seconds: 10 * minute, max: 60 },
  // A family's open pages ask each minute, and fetch one portrait each.
  'shared visit by link': { seconds: hour, max: 1_200 },
  'unknown visits by address': { seconds: 10 * minute, max: 60 },
  // Whoever is shown a paper looks once or twice.
  'hand-over by link': { seconds: hour, max: 120 },
  'unknown hand-overs by address': { seconds: 10 * minute, max: 60 },
  'clients by ally': { seconds: 24 * hour, max: 100 },
  // Their numbers are settings (`outward`).
  'bookings by account': { seconds: 24 * hour, max: 6 },
  'moves by account': { seconds: 24 * hour, max: 6 },
  'invitations by agency': { seconds: 24 * hour, max: 300 },
  // An invited client is not written to without limit.
  'invitation letters by client': { seconds: 24 * hour, max: 3 },
  'invitation letters by mailbox': { seconds: 24 * hour, max: 3 },
  // Changes of e-mail to one new mailbox, whichever accounts ask.
  'new mailboxes by mailbox': { seconds: 24 * hour, max: 3 },
  // A guess has one chance in a thousand million; a user copies the code from a card.
  'wrong codes by account': { seconds: 10 * minute, max: 5 },
  'wrong codes by address': { seconds: 10 * minute, max: 30, quick: 5 },
  // Whoever reads a link with one; those of a dealership's own network share it.
  'unknown codes greeted by address': { seconds: 10 * minute, max: 60 },
  // Each page of sign-in asks for one, to offer the browser's passkeys.
  'passkey challenges by address': { seconds: 10 * minute, max: 200 },
  'second step by address': { seconds: minute, max: 20 },
  // A dealership's own system, and callers with an invalid key.
  'api by key': { seconds: minute, max: 120 },
  'unknown api keys by address': { seconds: 10 * minute, max: 60 },
} as const satisfies Record<string, Bound>

type Limit = keyof typeof limited

/** The state after a try: how many remain until the window ends, below zero when exceeded. */
export type Counted = {
  seconds: number
  max: number
  left: number
  until: Date
  /** Until when the manager closed the try's network. */
  closedUntil: Date | null
}

/** What visitors do: not from a network that the manager closed. */
const closable = /^(sign-in|sign-up|letters|codes) by address$/

/** Counts a try, and refuses the excess one with a message that states the wait. */
export async function countTry(db: Queryable, name: Limit, who: string, now: Date): Promise<void> {
  const { closedUntil, left, max, until } = await counterOf(db, name, who, now)
  const isClosed = closedUntil !== null && !currentContext().proved
  const { quick = max }: Bound = limited[name]
  const beyond = max - left - quick
  if (left >= 0 && !isClosed) return beyond > 0 ? setTimeout(beyond * slowedByMs) : undefined
  if (countedAs(name) !== String) await noteTry(db, name.startsWith('sign-in') ? 'signIns' : 'signUps')
  if (!isClosed) refuseUntil(until, now)
  throw new Refusal('permission-denied', {
    title: 'Cerramos tu red por un rato',
    description: closedWords(closedUntil),
  })
}

/** Counts a customer's form, and refuses the excess one. */
export async function countForm(): Promise<void> {
  const { by } = currentContext()
  const db = formDatabase()
  if (db && by) await countTry(db, 'forms by account', by, new Date())
}

/** Networks counted apart in an hour, of one kind; the others are counted together, without a name. */
export const mostNetworks = 200

/**
 * Counts by the hour, for the manager's desk, what a request's network tried in vain (`signUps`: also codes and links), or
 * opened. One statement; where it fails, nothing is missing but the count.
 */
export async function noteTry(
  db: Queryable,
  kind: 'signIns' | 'signUps' | 'opened' | 'stripe' | 'whatsapp',
): Promise<void> {
  const { network } = currentContext()
  if (!network) return
  await db
    .execute(
      sql`with these as (
        select network from network_counts where hour = date_trunc('hour', now()) and kind = ${kind} limit ${mostNetworks + 1}
      )
      insert into network_counts as kept (hour, kind, network, count)
      select date_trunc('hour', now()), ${kind}, case when count(*) < ${mostNetworks} or bool_or(network = ${network}) then ${network} else '' end, 1
      from these
      on conflict (hour, kind, network) do update set count = kept.count + 1`,
    )
    .catch((err: unknown) => log.warn({ err }, 'try of a network not counted'))
}

/** Whether the manager braked an account. */
export async function isBraked(db: Queryable, userId: string): Promise<boolean> {
  const rows = await queryRows(db, sql`select 1 from users where id = ${userId} and braked_until > now()`)
  return rows.length > 0
}

export async function refuseBraked(db: Queryable, userId: string): Promise<void> {
  if (await isBraked(db, userId))
    refuse('failed-precondition', 'Frenamos los cambios de tu cuenta. Llámanos y lo vemos contigo.')
}

/** How much longer each try beyond `quick` waits than the one before it. */
const slowedByMs = 40

/** A moment further ahead than this was written by a clock that was ahead, and is not waited for. */
export const clockSlackMs = 5 * 60_000

/**
 * Counts a try. One statement, so that of any number at once exactly the allowed ones pass. The window begins with its
 * first try and is not moved by later ones.
 */
export async function counterOf(
  db: Queryable,
  name: Limit,
  who: string,
  now: Date,
  most?: number,
): Promise<Counted> {
  const { seconds, max: usual } = limited[name]
  const max = most ?? usual
  const endsAt = new Date(now.getTime() + seconds * 1000)
  const latest = new Date(endsAt.getTime() + clockSlackMs)
  const isOpen = sql`kept.window_ends_at > ${now} and kept.window_ends_at <= ${latest}`
  const network = closable.test(name) ? networkOf(who) : ''
  const [row] = await queryRows<[count: number, endsAt: Date, closedUntil: Date | null]>(
    db,
    sql`insert into limits as kept (key, count, window_ends_at) values (${keyOf(name, who)}, 1, ${endsAt})
    on conflict (key) do update set
      count = case when ${isOpen} then kept.count + 1 else 1 end,
      window_ends_at = case when ${isOpen} then kept.window_ends_at else excluded.window_ends_at end
    returning count, window_ends_at, (select until from closed_networks where network = ${network} and until > ${now})`,
  )
  const [count, until, closedUntil] = row!
  return { seconds, max, left: max - count, until, closedUntil }
}

/** Counts an act of a customer, and refuses those above the day's number, which is a setting, and all of a braked account. */
export async function countAct(
  db: Queryable,
  name: 'bookings by account' | 'moves by account',
  who: string,
  now: Date,
  most: number,
): Promise<void> {
  await refuseBraked(db, who)
  const { left } = await counterOf(db, name, who, now, most)
  if (left < 0) refuse('resource-exhausted', 'Hoy ya hiciste muchos cambios. Llámanos y lo vemos contigo.')
}

/** Uncounts a try, where only failed ones count. */
export async function giveTryBack(db: Queryable, name: Limit, who: string): Promise<void> {
  await queryRows(db, sql`update limits set count = greatest(count - 1, 0) where key = ${keyOf(name, who)}`)
}

const keyOf = (name: Limit, who: string) => `${name} ${hashOf(countedAs(name)(who))}`

function countedAs(name: Limit): (who: string) => string {
  if (name.endsWith('by address')) return networkOf
  return name.endsWith('by wider network') ? widerNetworkOf : String
}

/** The refusal of one try too many. */
export function refuseUntil(until: Date, now: Date): never {
  const waits = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return refuse(
    'resource-exhausted',
    `Hiciste muchos intentos seguidos. Espera ${waitInWords(waits)} y vuelve a intentarlo.`,
    { waits },
  )
}

/** Deletes expired counts. */
export async function clearLimits(db: Queryable, now: Date): Promise<void> {
  await db.execute(sql`delete from limits where window_ends_at <= ${now}`)
}

/** A code for a letter's link: 256 random bits. Only its hash is kept. */
export function newCode(): { code: string; hash: string } {
  const code = randomBytes(32).toString('base64url')
  return { code, hash: hashOf(code) }
}

/** After this a code of the authenticator is no longer valid; the same six digits may come again another day. */
const rememberedMinutes = 5

/** Marks a code of the authenticator as used; false when it was used already, also of two at once. */
export async function spendTotpCode(
  db: Queryable,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    insert into used_totp_codes as used (user_id, code, used_at) values (${userId}, ${code}, ${now})
    on conflict (user_id, code) do update set used_at = excluded.used_at
      where used.used_at < ${now}::timestamptz - make_interval(mins => ${rememberedMinutes})`)
  return rowCount === 1
}

/** Deletes codes that need no longer be remembered. */
export async function clearUsedCodes(db: Queryable, now: Date): Promise<void> {
  await db.execute(
    sql`delete from used_totp_codes where used_at < ${now}::timestamptz - make_interval(mins => ${rememberedMinutes})`,
  )
}

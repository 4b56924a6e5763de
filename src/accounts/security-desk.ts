import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, queryRows } from '../platform/database/client.ts'
import { listed, literals } from '../platform/database/lists.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../shared/calendar.ts'
import { refuse } from '../shared/refusal.ts'
import { managesPeople } from '../users/rules/user.ts'
import { bookingEvents, type DeskAct, deskEvents, restoreMinutes } from './rules/security.ts'

/** Who causes something, and how often: of each kind today, and in all. */
export type DeskRow = { id: string; name: string; counts: number[] }

const mostRows = 12
/** As many sessions, and bookings and changes in a week, as a person usually has. */
const usualSessions = 5
const usualChanges = 3
const called = `coalesce(nullif(u.full_name, ''), u.email)`
const person = sql.raw(`u.id::text, ${called}`)

/** What costs something, by who causes it, the worst first; what was done about it. For the manager only. */
export async function securityDesk(db: Db, actor: Actor, now: Date) {
  if (!managesPeople(actor)) refuse('not-found')
  const today = localDate(toMinutes(now))
  const list = listSince(db, toDate(minuteAt(today, '00:00')))
  const week = toDate(minuteAt(addDays(today, -6), '00:00'))
  const byNetwork = sql`select network, network, kind, hour, count from network_counts where hour >= ${week}`
  return allOf({
    stopped: stoppedNow(db),
    networks: list(['signIns', 'signUps', 'opened'], byNetwork),
    sessions: list(
      ['open'],
      sql`select ${person}, 'open', s.created_at, 1 from sessions s join users u on u.id = user_id where expires_at > now()`,
      usualSessions,
    ),
    bookings: list(
      ['book', 'cancel', 'reschedule'],
      sql`select ${person}, left(e.name, 10), at, 1 from events e join users u on u.id = actor_id
        where entity = 'appointment' and e.name in (${listed(bookingEvents)}) and at >= ${week} and role = 'customer'`,
      usualChanges,
    ),
    held: list(
      ['held'],
      sql`select ${person}, 'held', at, 1 from outward join users u on u.id = caused_by where gather_minutes is not null`,
    ),
    agencies: list(['invited', 'asked', 'used'], ofAgencies(week)),
    unsigned: list(['stripe', 'whatsapp'], byNetwork),
    failing: list(
      ['failed'],
      sql`select a.id::text, a.name, 'failed', coalesce(d.updated_at, now()), (d.last_error is not null)::int
        from webhook_endpoints w join agencies a on a.id = agency_id
        left join webhook_deliveries d on d.endpoint_id = w.id and d.created_at >= ${week}
        where w.failing_since is not null or w.stopped_at is not null`,
      -1,
    ),
    done: lastDone(db),
  })
}

/** What agencies and their keys write, and how much of the day's invitations is used. */
const ofAgencies = (week: Date) =>
  sql`select a.id::text, a.name, did.* from agencies a cross join lateral (
        select 'invited', created_at, 1 from clients where agency_id = a.id and source in (${listed(['counter', 'api'])}) and created_at >= ${week}
        union all select 'asked', r.created_at, 1 from api_requests r join api_keys k on k.id = api_key_id where agency_id = a.id
        union all select 'used', now(), count from limits where window_ends_at > now()
          and key = 'invitations by agency ' || encode(sha256(a.id::text::bytea), 'hex')) did`

/** What is asked at once, under its names. */
async function allOf<Asked extends Record<string, Promise<unknown>>>(asked: Asked) {
  const entries = Object.entries(asked).map(async ([name, one]) => [name, await one])
  return Object.fromEntries(await Promise.all(entries)) as { [Name in keyof Asked]: Awaited<Asked[Name]> }
}

/** Sums what a query tells (id, name, kind, moment, how many) by who did it, above a number of times. */
const listSince =
  (db: Db, today: Date) =>
  async (kinds: string[], source: SQL, above = 0): Promise<DeskRow[]> => {
    const sums = kinds.map(
      (kind) =>
        sql`coalesce(sum(n) filter (where kind = ${kind} and at >= ${today}), 0)::int, coalesce(sum(n) filter (where kind = ${kind}), 0)::int`,
    )
    const rows = await queryRows<[id: string, name: string, ...counts: number[]]>(
      db,
      sql`select id, name, ${sql.join(sums, sql`, `)} from (${source}) did (id, name, kind, at, n)
        where kind in ${kinds} group by id, name having sum(n) > ${above} order by sum(n) desc, name limit ${sql.raw(String(mostRows))}`,
    )
    return rows.map(([id, name, ...counts]) => ({ id, name, counts }))
  }

/** What stands until it ends or is undone, and the act that undoes it. */
export type Stopped = { undo: DeskAct; id: string; name: string; until: Date }

export async function stoppedNow(db: Db): Promise<Stopped[]> {
  const kept = `interval '${restoreMinutes} minutes'`
  const { rows } = await db.$client.query<Stopped>({
    text: `select 'release_brake' as undo, u.id::text, ${called} as name, braked_until as until from users u where braked_until > now()
    union all select 'open_network', network, network, until from closed_networks where until > now()
    union all select 'restore_sessions', u.id::text, ${called}, max(expires_at) + ${kept} from sessions join users u on u.id = user_id
      where former_expires_at > now() and expires_at > now() - ${kept} group by u.id
    order by until`,
  })
  return rows
}

type Done = { id: string; name: string; at: Date; by: string; about: string }

async function lastDone(db: Db): Promise<Done[]> {
  const { rows } = await db.$client.query<Done>({
    text: `select e.id, e.name, at, by.full_name as by, coalesce(reason, ${called}) as about
    from events e join users by on by.id = actor_id join users u on u.id = entity_id
    where entity = 'user' and e.name in (${literals(deskEvents)}) order by e.id desc limit ${mostRows}`,
  })
  return rows
}

import { sql } from 'drizzle-orm'
import { type Service, serviceFacts } from '../../domain/appointments/appointment.ts'
import { mostNews, offersAtOnce } from '../../domain/appointments/rules.ts'
import { outsideQuietHours, toDate } from '../../domain/shared/calendar.ts'
import { type Db, transaction } from '../platform/database/database.ts'
import { offeredDays } from './agenda.ts'
import { offerFreedSlot } from './offer.ts'
import { zoneOf } from './roster.ts'
import { endIdleWishes } from './wishes.ts'

/** People who wait for the same: a service, in a part of town where that matters. */
type Group = { service: Service; zone: number; waiting: number }

/**
 * Looks what opened for whoever waits by anything but a cancellation or a move, which offer their start at once: a person
 * released, more hours or zones, time off taken back, somebody new (decision 0036). The engine is asked once for each group;
 * what was not open at the look before is held out to people who think about no other offer. Answers how many heard of
 * something. May run twice; at night it waits for the morning.
 */
export async function lookForEarlier(db: Db, now: Date): Promise<number> {
  if (outsideQuietHours(now) > now) return 0
  await endIdleWishes(db, now)
  const groups = await groupsWaiting(db)
  await forgetOthers(db, groups)
  let heard = 0
  for (const group of groups) heard += await lookFor(db, group, now)
  return heard
}

async function groupsWaiting(db: Db): Promise<Group[]> {
  const { rows } = await db.execute<{ service: Service; municipality: string | null; waiting: number }>(sql`
    select w.service, coalesce(a.municipality, d.municipality) as municipality, count(*)::int as waiting
    from slot_wishes w
    join users u on u.id = w.customer_id and u.active
    left join appointments a on a.id = w.appointment_id
    left join addresses d on d.project_id = w.project_id and d.archived_at is null
    where w.ended_at is null group by 1, 2 order by 1, 2`)
  const groups = new Map<string, Group>()
  for (const { municipality, service, waiting } of rows) {
    const { needsTravel } = serviceFacts[service]
    const zone = needsTravel ? zoneOf(municipality) : -1
    if (needsTravel && zone < 0) continue
    const known = groups.get(`${service} ${zone}`)
    groups.set(`${service} ${zone}`, { service, zone, waiting: waiting + (known?.waiting ?? 0) })
  }
  return [...groups.values()]
}

/** What nobody waits for is not kept: whoever waits next begins with what is open then. */
const forgetOthers = (db: Db, groups: readonly Group[]) =>
  db.execute(sql`
    delete from open_slots where (service || ' ' || zone) <> all(${sql.param(
      groups.map(({ service, zone }) => `${service} ${zone}`),
    )}::text[])`)

async function lookFor(db: Db, { service, zone, waiting }: Group, now: Date): Promise<number> {
  const open = (await offeredDays(db, service, zone, now)).flatMap(({ starts }) => starts)
  const { rows } = await db.execute<{ starts: number[] }>(
    sql`select starts from open_slots where service = ${service} and zone = ${zone}`,
  )
  const known = rows[0] && new Set(rows[0].starts)
  const news = known ? open.filter((start) => !known.has(start)) : []
  const most = Math.min(mostNews, Math.ceil(waiting / offersAtOnce))
  let heard = 0
  for (const start of news.slice(0, most))
    heard += await offerFreedSlot(db, { service, startsAt: toDate(start).toISOString(), once: true }, now)
  await transaction(db, (tx) =>
    tx.execute(sql`
      insert into open_slots (service, zone, starts) values (${service}, ${zone}, ${sql.param(open)}::int[])
      on conflict (service, zone) do update set starts = excluded.starts`),
  )
  return heard
}

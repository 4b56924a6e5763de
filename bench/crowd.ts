import { createHmac, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Performer } from '../src/appointments/rules/appointment.ts'
import { defaultSettings } from '../src/settings/rules/settings-schema.ts'
import { daysFrom, isHoliday, localDate, toMinutes } from '../src/shared/calendar.ts'
import { municipalities } from '../src/shared/places.ts'
import { secret } from './stack.ts'

export type Customer = { id: string; projectId: string; cookie: string }
export type Place = (typeof municipalities)[number]['slug']
/** An appointment that is in the way. */
export type Taken = { personId: string; start: number }

const slugs = municipalities.map(({ slug }) => slug)
const hours = defaultSettings.hours.flatMap((open, weekday) => (open ? [{ weekday, ...open }] : []))

/** Every start that the calendar allows for a visit beyond the notice, in order, as epoch minutes. */
export function allStarts(
  now = new Date(),
  { horizonDays } = defaultSettings.services.technical_visit,
): number[] {
  const { minutes, noticeHours } = defaultSettings.services.technical_visit
  const first = toMinutes(now) + (noticeHours + 1) * 60
  return daysFrom(toMinutes(now), horizonDays + 1)
    .filter(({ date }) => !isHoliday(date, []))
    .flatMap(({ base, weekday }) => {
      const open = defaultSettings.hours[weekday]
      const count = open ? Math.floor((open.to - open.from - minutes) / defaultSettings.stepMinutes) + 1 : 0
      return Array.from(
        { length: count },
        (_, n) => base + (open?.from ?? 0) + n * defaultSettings.stepMinutes,
      )
    })
    .filter((start) => start >= first)
}

/** Technicians, or analysts, who work when the house is open and go everywhere. */
export async function addTechnicians(
  pool: pg.Pool,
  count: number,
  kind: Performer = 'tecnician',
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (email, email_verified, name, lastname, phone, role, kind)
     select gen_random_uuid() || '@prueba.mx', true, 'Persona ' || n, 'Prueba', '5512345678', 'staff', $2
     from generate_series(1, $1) n returning id`,
    [count, kind],
  )
  const ids = rows.map(({ id }) => id)
  await pool.query(
    `insert into shifts (person_id, weekday, starts, ends)
     select person, weekday, starts, ends from unnest($1::uuid[]) person,
       unnest($2::int[], $3::int[], $4::int[]) as open (weekday, starts, ends)`,
    [ids, hours.map(({ weekday }) => weekday), hours.map(({ from }) => from), hours.map(({ to }) => to)],
  )
  return ids
}

/** A manager or another of the staff, without working hours. */
export async function addStaff(pool: pg.Pool, kind: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (email, email_verified, name, lastname, phone, role, kind)
     values ($1 || '@prueba.mx', true, 'Persona', 'Prueba', '5512345678', 'staff', $2) returning id`,
    [randomUUID(), kind],
  )
  return rows[0]!.id
}

/** Each new project holds a lock until its transaction ends, and a server has room for some thousands. */
const mostAtOnce = 2_000

/** Customers with an open project, an address and a session; their places go round all municipalities, or are all the one given. */
export async function addCustomers(pool: pg.Pool, count: number, place?: Place): Promise<Customer[]> {
  const made: Customer[] = []
  while (made.length < count)
    made.push(...(await addSome(pool, Math.min(mostAtOnce, count - made.length), place)))
  return made
}

async function addSome(pool: pg.Pool, count: number, place?: Place): Promise<Customer[]> {
  const { rows } = await pool.query<{ id: string; project_id: string }>(
    `with people as (
       insert into users (email, email_verified, name, lastname, phone, terms_version, terms_accepted_at)
       select gen_random_uuid() || '@prueba.mx', true, 'Cliente ' || n, 'Prueba', '5512345678', '2025-01', now() from generate_series(1, $1) n
       returning id
     ), opened as (insert into projects (customer_id) select id from people returning id, customer_id),
     housed as (
       insert into addresses (project_id, postal_code, municipality, state, area, colonia, street, outer_number, dwelling, parking)
       select id, '04000', ($2::text[])[1 + (row_number() over ()) % cardinality($2::text[])],
         'ciudad-de-mexico', 'served', 'Villa Coyoacán', 'Calle Ejemplo', '12', 'house', 'own_covered' from opened
     )
     select customer_id as id, id as project_id from opened`,
    [count, place ? [place] : slugs],
  )
  const cookies = await openSessions(
    pool,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, project_id }, n) => ({ id, projectId: project_id, cookie: cookies[n]! }))
}

/** A session for each person; answers their cookies, signed as the sign-in library does. */
export async function openSessions(pool: pg.Pool, userIds: readonly string[]): Promise<string[]> {
  const tokens = userIds.map(() => randomUUID())
  await pool.query(
    `insert into sessions (user_id, token, expires_at)
     select person, token, now() + interval '30 days' from unnest($1::uuid[], $2::text[]) as given (person, token)`,
    [userIds, tokens],
  )
  return tokens.map((token) => {
    const signature = createHmac('sha256', secret).update(token).digest('base64')
    return `carga.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  })
}

/** Confirmed visits at these times, each of a customer of its own. */
export async function addVisits(pool: pg.Pool, taken: readonly Taken[]) {
  const customers = await addCustomers(pool, taken.length)
  await pool.query(
    `insert into appointments (folio, service, state, customer_id, project_id, assignee_id, confirmed_at, starts_at,
       minutes, municipality, request_key, request_digest)
     select next_folio('VT', 2020), 'technical_visit', 'assigned', customer, project, person, now(), to_timestamp(start * 60),
       60, ($5::text[])[1 + nth % cardinality($5::text[])], gen_random_uuid(), ''
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[]) with ordinality as given (customer, project, person, start, nth)`,
    [
      customers.map(({ id }) => id),
      customers.map(({ projectId }) => projectId),
      taken.map(({ personId }) => personId),
      taken.map(({ start }) => start),
      slugs,
    ],
  )
  await pool.query('analyze')
}

/** So many visits for each person, at most one a day, spread over the starts' days and hours. */
export function spread(people: readonly string[], each: number, all = allStarts()): Taken[] {
  const days = Map.groupBy(all, (start) => localDate(start))
  const starts = [...days.values()]
  return people.flatMap((personId, p) =>
    Array.from({ length: each }, (_, n) => {
      const day = starts[(p + n) % starts.length]!
      return { personId, start: day[(p * 7 + n * 5) % day.length]! }
    }),
  )
}

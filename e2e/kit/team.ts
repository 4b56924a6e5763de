import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { addDays, daysFrom, isHoliday, minuteAt, toDate, toMinutes } from '../../src/shared/calendar.ts'
import { withDatabase } from './database.ts'

export type Team = Awaited<ReturnType<typeof hire>>

/**
 * Two technicians of a test's own, who go to Milpa Alta only, where no other test's customers live; the first has a
 * confirmed visit on each of two days in a row. They sign in with the demo data's password.
 */
export const hire = (worker: number) =>
  withDatabase(async (client) => {
    // Tests that run at the same time have other days, or a visit of one could go to the team of the other, which leaves.
    const weekday = 1 + 2 * (worker % 2)
    const first = await technician(client, 'Tania', weekday)
    const second = await technician(client, 'Tobías', weekday)
    const day = firstDay(weekday)
    const days = [day, addDays(day, 1)] as const
    const folios = [await visit(client, first.id, days[0]), await visit(client, first.id, days[1])] as const
    return { ...first, colleague: second.name, colleagueId: second.id, days, folios }
  })

/** First names of technicians. */
export const many = 'Alba Bruno Celia Darío Elena Fausto Gilda Hugo Irma Jorge Karla Luis'.split(' ')

/**
 * A day of twelve technicians and twenty-eight visits, two of them without a person: installations in the morning, and
 * what is not confirmed in the afternoon.
 */
export const fullDay = (worker: number) =>
  withDatabase(async (client) => {
    const weekday = 1 + 2 * (worker % 2)
    const date = firstDay(weekday, 77)
    const people: Awaited<ReturnType<typeof technician>>[] = []
    for (const name of many) people.push(await technician(client, name, weekday))
    for (const [n, { id }] of people.entries()) {
      const morning = n % 4 === 1 ? { service: 'installation', minutes: 180 } : {}
      await visit(client, id, date, { ...morning, time: '09:00', name: many[(n + 3) % 12]! })
      await visit(client, id, date, { time: '13:00', name: 'Guadalupe' })
      if (n < 2) await visit(client, id, date, { time: '15:30', state: 'requested', name: 'Alejandra' })
    }
    const waiting = [
      await visit(client, null, date, { time: '11:00', state: 'requested', name: 'Rita' }),
      await visit(client, null, date, { time: '16:00', state: 'requested', name: 'Saúl' }),
    ]
    return { date, ids: people.map(({ id }) => id), people, waiting }
  })

/** Leaves the day to the next test. */
export const endFullDay = ({ ids, waiting }: Awaited<ReturnType<typeof fullDay>>) =>
  withDatabase(async (client) => {
    await client.query(
      `update appointments set state = 'cancelled' where assignee_id = any($1) or folio = any($2)`,
      [ids, waiting],
    )
    await client.query('update users set active = false where id = any($1)', [ids])
  })

/** Nobody's list has room for the teams of all tests: one that is done with takes no more visits. */
export const dismiss = ({ id, colleagueId }: Team) =>
  withDatabase((client) =>
    client.query('update users set active = false where id = any($1)', [[id, colleagueId]]),
  )

/** Makes the team's first visit this customer's, while the colleague is busy at that hour: only another time is left. */
export const onlyAnotherTime = ({ colleagueId, days, folios }: Team, email: string) =>
  withDatabase(async (client) => {
    await visit(client, colleagueId, days[0])
    await client.query(
      `update appointments set customer_id = users.id, project_id = projects.id, address = '{"street": "Londres", "outerNumber": "247", "colonia": "Villa Milpa Alta"}'
       from users join projects on projects.customer_id = users.id where users.email = $1 and appointments.folio = $2`,
      [email, folios[0]],
    )
  })

/** Such a day so many days ahead or more, it and the day after no holidays. */
export const firstDay = (wanted: number, ahead = 14) =>
  daysFrom(toMinutes(new Date()), ahead + 46)
    .slice(ahead)
    .find(
      ({ date, weekday }) => weekday === wanted && !isHoliday(date, []) && !isHoliday(addDays(date, 1), []),
    )!.date

/** Works on Mondays, on that weekday and the next. */
export async function technician(client: pg.Client, name: string, weekday: number) {
  // Names of their own, since several tests run at the same time.
  const lastname = `Demo-${randomUUID().slice(0, 6)}`
  const email = `${randomUUID()}@example.mx`
  const { rows } = await client.query<{ id: string }>(
    `with person as (
       insert into users (email, email_verified, name, lastname, phone, role, kind)
       values ($1, true, $2, $3, '5512345678', 'staff', 'tecnician') returning id
     ), zoned as (insert into person_zones select id, 'milpa-alta' from person),
     hours as (insert into shifts (person_id, weekday, starts, ends) select id, weekday, 540, 1080 from person, unnest(array[0, $4::int, $4 + 1]) weekday),
     known as (insert into accounts (user_id, account_id, provider_id, password) select person.id, person.id::text, provider_id, password
       from person, accounts join users on users.id = user_id where users.email = 'tecnico@demo.mx')
     select id from person`,
    [email, name, lastname, weekday],
  )
  return { id: rows[0]!.id, email, name: `${name} ${lastname}` }
}

type Input = { time?: string; minutes?: number; service?: string; state?: string; name?: string }

/** A visit at Milpa Alta of a new customer; answers its folio. */
export async function visit(client: pg.Client, personId: string | null, day: string, input: Input = {}) {
  const {
    time = '10:00',
    minutes = 60,
    service = 'technical_visit',
    state = 'assigned',
    name = 'Ana',
  } = input
  const { rows } = await client.query<{ folio: string }>(
    `with person as (
       insert into users (email, email_verified, name, lastname, phone) values ($1, true, $5, 'Prueba', '5512345678') returning id
     ), opened as (insert into projects (customer_id) select id from person returning id, customer_id)
     insert into appointments (folio, service, state, customer_id, project_id, assignee_id, confirmed_at, starts_at, minutes,
       municipality, request_key, request_digest)
     select next_folio($6, 2026), $7, $8, customer_id, id, $2, case $8 when 'requested' then null else now() end, $3, $4,
       'milpa-alta', gen_random_uuid(), '' from opened returning folio`,
    [
      `${randomUUID()}@example.mx`,
      personId,
      toDate(minuteAt(day, time)),
      minutes,
      name,
      service === 'installation' ? 'IN' : 'VT',
      service,
      state,
    ],
  )
  return rows[0]!.folio
}

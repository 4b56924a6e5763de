import { hashPassword } from 'better-auth/crypto'
import type pg from 'pg'
import {
  addCustomers,
  addStaff,
  addTechnicians,
  addVisits,
  allStarts,
  openSessions,
  spread,
} from '../bench/crowd.ts'
import { addAppointments } from '../bench/lists-fixture.ts'
import { toDate } from '../src/shared/calendar.ts'
import { type Everyone, password } from './mix.ts'

const staff = { technicians: 200, analysts: 40, screens: 10 }
const browsing = 500
const visitsEach = 10

/** Fills a database with so many appointments in the lists and people who book, and answers who may ask what. */
export async function makeFixture(pool: pg.Pool, appointments: number, bookers: number): Promise<Everyone> {
  await addAppointments(pool, appointments)
  const team = await addTechnicians(pool, staff.technicians)
  await addTechnicians(pool, staff.analysts, 'analyst')
  await addVisits(pool, spread(team, visitsEach))
  const managers = await Promise.all(Array.from({ length: staff.screens }, () => addStaff(pool, 'manager')))
  const cookies = async (count: number) => (await addCustomers(pool, count)).map(({ cookie }) => cookie)
  const textsOf = async (query: string, ...values: unknown[]) =>
    (await pool.query<{ text: string }>(query, values)).rows.map(({ text }) => text)
  const everyone = {
    customer: await cookies(browsing),
    booking: await cookies(bookers),
    desk: await openSessions(pool, managers),
    starts: allStarts().map((start) => toDate(start).toISOString()),
    appointments: await textsOf(
      `select id as text from appointments where state in ('requested', 'assigned') and service = 'technical_visit' limit 500`,
    ),
    // The same password for all: it is worked out once.
    emails: await textsOf(
      `insert into accounts (user_id, account_id, provider_id, password)
       select id, id, 'credential', $1 from users where email like '%@prueba.mx' and kind is null limit 1000
       returning (select email from users where id = user_id) as text`,
      await hashPassword(password),
    ),
  }
  await pool.query('analyze')
  return everyone
}

/** Bookings in the database of whoever books here, and how many of those are doubled for a person or a customer. */
export async function bookingsIn(pool: pg.Pool): Promise<{ booked: number; doubled: number }> {
  const { rows } = await pool.query<{ booked: number; doubled: number }>(
    `with made as (
       select * from appointments where id in (select entity_id from events where name = 'book') and state <> 'cancelled'
     )
     select (select count(*)::int from made) as booked,
       (select count(*)::int from made a join appointments b on a.id <> b.id and b.state <> 'cancelled'
          and (a.assignee_id = b.assignee_id or a.customer_id = b.customer_id) and a.during && b.during) as doubled`,
  )
  return rows[0]!
}

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
import { addAppointments } from '../bench/lists-world.ts'
import { toDate } from '../src/domain/shared/calendar.ts'
import { type Cast, password } from './mix.ts'

/** How large the house is: `appointments` in the lists, and people. */
export type House = {
  appointments: number
  technicians: number
  analysts: number
  bookers: number
  screens: number
}

export const house: House = {
  appointments: 1_000_000,
  technicians: 200,
  analysts: 40,
  bookers: 20_000,
  screens: 10,
}
const browsing = 500
const accounts = 1_000
const visitsEach = 10

/** Fills a database, and answers who may ask what; `listening` are customers whose pages stay open. */
export async function makeWorld(
  pool: pg.Pool,
  { appointments, technicians, analysts, bookers, screens }: House,
) {
  await addAppointments(pool, appointments)
  const crew = await addTechnicians(pool, technicians)
  await addTechnicians(pool, analysts, 'analyst')
  await addVisits(pool, spread(crew, visitsEach))
  const managers = await Promise.all(Array.from({ length: screens }, () => addStaff(pool, 'manager')))
  const cookies = async (count: number) => (await addCustomers(pool, count)).map(({ cookie }) => cookie)
  const people = await cookies(browsing)
  const cast: Cast = {
    browsing: people,
    booking: await cookies(bookers),
    desk: await openSessions(pool, managers),
    starts: allStarts().map((start) => toDate(start).toISOString()),
    appointments: await someAppointments(pool),
    emails: await addAccounts(pool),
  }
  await pool.query('analyze')
  return { cast, listening: people.slice(0, 200) }
}

async function someAppointments(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from appointments where state in ('requested', 'assigned') and service = 'technical_visit' limit 500`,
  )
  return rows.map(({ id }) => id)
}

/** People with a password, the same for all: it is worked out once. */
async function addAccounts(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ email: string }>(
    `with people as (
       insert into users (email, email_verified, name, lastname, phone)
       select 'cuenta' || n || '@prueba.mx', true, 'Cuenta', 'Prueba', '5512345678' from generate_series(1, $1) n
       returning id, email
     ), kept as (
       insert into accounts (user_id, account_id, provider_id, password) select id, id, 'credential', $2 from people
     )
     select email from people`,
    [accounts, await hashPassword(password)],
  )
  return rows.map(({ email }) => email)
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

import { expect } from '@playwright/test'
import pg from 'pg'
import { startEmbedded } from '../../src/platform/database/embedded/cluster.ts'

/** Runs with a connection to the database of the server under test, for what no browser can do. */
export async function withDatabase<Result>(
  run: (client: pg.Client) => Promise<Result>,
  folder = process.env.E2E_DATA_DIR ?? '',
): Promise<Result> {
  const { connection } = await startEmbedded(folder, { join: true })
  const client = new pg.Client({ ...connection, database: 'carga' })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

const ofPerson = 'user_id = (select id from users where email = $1)'

/** Ends every session of a person, and tells nobody. */
export const endSessionsOf = (email: string) =>
  withDatabase((client) => client.query(`delete from sessions where ${ofPerson}`, [email]))

/** Makes a person's sessions end in so many seconds, as they would at the end of their month. */
export const sessionsEndIn = (email: string, seconds: number) =>
  withDatabase((client) =>
    client.query(
      `update sessions set updated_at = now(), expires_at = now() + make_interval(secs => $2) where ${ofPerson}`,
      [email, seconds],
    ),
  )

/** How many seconds the last session of a person still has. */
export const secondsLeft = (email: string) =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ left: string }>(
      `select extract(epoch from max(expires_at) - now()) as left from sessions where ${ofPerson}`,
      [email],
    )
    return Number(rows[0]?.left ?? 0)
  })

/**
 * Moves an appointment to this half-hour, or to the last one before it in which its technician has nothing else planned:
 * late in the evening the demo's own visit begins within the hour. A visit is carried out on its own day and is booked at
 * least a day ahead, so the only thing a test can't do in a browser is wait for that day to come.
 */
export async function theDayComes(folio: string, earlier = 0) {
  await withDatabase(async (client) => {
    const move = () =>
      client.query(
        `update appointments moved set starts_at = (
           select max(at) from date_bin('30 minutes', now() - make_interval(mins => $2), timestamptz '2000-01-01') latest,
             generate_series(latest - interval '4 hours', latest, interval '30 minutes') at
           where not exists (select from appointments other where other.assignee_id = moved.assignee_id
             and other.id <> moved.id and other.state in ('requested', 'assigned')
             and other.during && tstzrange(at, at + make_interval(mins => moved.minutes)))
         ) where folio = $1`,
        [folio, earlier],
      )
    // Another test may have the same technician at work right now.
    await expect(async () => expect((await move()).rowCount).toBe(1)).toPass({ timeout: 30_000 })
  })
}

/**
 * Puts an appointment about so many hours ahead, booked long ago: its customer's time to change it may be over. Sooner
 * where its person has another at that hour.
 */
export const comesNear = (folio: string, hours: number) =>
  withDatabase(async (client) => {
    for (let minutes = hours * 60; ; minutes -= 30)
      try {
        return await client.query(
          `update appointments set created_at = now() - interval '20 days',
             starts_at = date_bin('5 minutes', now() + make_interval(mins => $2), timestamptz '2000-01-01') where folio = $1`,
          [folio, minutes],
        )
      } catch (error) {
        const isTaken = error instanceof pg.DatabaseError && error.code === '23P01'
        if (!isTaken || minutes < 120) throw error
      }
  })

/** Makes a person a manager, as the operator's command does; the session they have goes on. */
export const becomesManager = (email: string) =>
  withDatabase((client) =>
    client.query(
      `update users set role = 'staff', kind = 'manager', email_verified = true where email = $1`,
      [email],
    ),
  )

/** Tells every open screen of a server, whoever looks at it, that something changed. */
export const everyScreenHears = (folder?: string) =>
  withDatabase((client) => client.query("select pg_notify('changes', 'everyone')"), folder)

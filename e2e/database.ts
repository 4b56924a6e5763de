import { expect } from '@playwright/test'
import pg from 'pg'
import { startEmbedded } from '../src/server/database/embedded.ts'

/**
 * Moves an appointment to this very half-hour. A visit is carried out on its own day and is booked at least a day ahead,
 * so the only thing a story can't do in a browser is wait for that day to come.
 */
export async function theDayComes(folio: string) {
  const { connection } = await startEmbedded(process.env.E2E_DATA_DIR ?? '', { join: true })
  const client = new pg.Client({ ...connection, database: 'carga' })
  await client.connect()
  const move = () =>
    client.query(
      `update appointments set starts_at = date_bin('30 minutes', now(), timestamptz '2000-01-01') where folio = $1`,
      [folio],
    )
  try {
    // Another story may have the same technician at work right now.
    await expect(async () => expect((await move()).rowCount).toBe(1)).toPass({ timeout: 30_000 })
  } finally {
    await client.end()
  }
}

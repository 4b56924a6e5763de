import { eq } from 'drizzle-orm'
import { sheetAnswers, sheets } from '../../src/server/platform/database/schema/appointments.ts'
import { assignVisit, bookVisit, people, readAgain, visit, world } from '../appointments/booking/opening.ts'
import { around, move, type Visit } from '../appointments/story.ts'
import { completeSheet } from '../kit/sheets.ts'

/** A step: the technician is at the visit since its start, ten minutes ago. */
export async function beThere() {
  await bookVisit()
  await assignVisit()
  world.at(around(visit, 0))
  await move(world, people.technician, visit, 'start')
  world.at(around(visit, 10 * 60_000))
  await readAgain()
}

/** A step: and nothing is missing in the report. */
export async function fillIn() {
  await completeSheet(world, visit)
}

export const sheetOf = async ({ id }: Pick<Visit, 'id'>) =>
  (await world.db.select().from(sheets).where(eq(sheets.appointmentId, id)))[0]

/** The stored answers by their names. */
export async function answersOf({ id }: Pick<Visit, 'id'>) {
  const rows = await world.db.select().from(sheetAnswers).where(eq(sheetAnswers.appointmentId, id))
  return Object.fromEntries(rows.map((row) => [row.name, row]))
}

import { storeSheet } from '../../reports/installed.ts'
import type { Action, Fields, Heards } from './shape.ts'
import { visitOfToday } from './visit-of-today.ts'

/** A form by which the office looks over a report that was sent. */
const review = (intent: string, form: Fields, may: Heards, hears: Heards = {}): Action => ({
  name: intent,
  async attempt(world, cast) {
    const visit = await visitOfToday(world, cast, 'done', { outcome: 'completed' })
    await storeSheet(world, 'visit', visit, cast.technician)
    return { path: `/admin/appointments-done/${visit.id}`, form: { intent, ...form } }
  },
  // For the others the appointment does not exist; the agency's ally and its technician see it.
  hears: { technician2: 404, gester: 404, ally2: 404, ...hears },
  may,
})

const version = '1'

/** What the office does with a report; the second comes too late. */
export const reviews: readonly Action[] = [
  review('approve-sheet', { version }, { manager: 303, analyst: 409 }),
  review(
    'return-sheet',
    { version, reason: 'No se lee el medidor.', 'redo.meter': 'on' },
    { analyst: 303, manager: 409 },
  ),
  review(
    'correct-answer',
    { name: 'panelBrand', base: '1', panelBrand: 'Siemens' },
    { manager: 303, analyst: 303 },
    // Its author writes in another form, and not while it waits; the ally may not read it.
    { technician: 409, ally: 404 },
  ),
]

import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { fieldsOf, lineField } from '../../src/domain/quotes/draft.ts'
import { catalogueItems, quotes } from '../../src/server/platform/database/schema/payments.ts'
import { builderFor } from '../../src/server/quotes/drafts.ts'
import { storeVisit } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { openEach, people, world } from '../kit/open.ts'
import { expectWords, readable } from '../kit/reading.ts'
import { writeSheet } from '../kit/reports.ts'

openEach()

/** The builder's form as its page shows it. */
async function shown(id: string): Promise<Record<string, string>> {
  const { building } = (await builderFor(world.db, people.analyst.actor, id, new Date()))!
  const { catalogueSign: catalogue, draft, typed } = building!
  return { intent: 'send-quote', ...fieldsOf(typed), version: String(draft?.version ?? 0), catalogue }
}

test('a catalogue that changes while a draft is open is said once before it is sent, a retired item too', async () => {
  const { customer, technician } = people
  const home = await world.home(customer)
  const visit = await storeVisit(world, customer, home, new Date(Date.now() - 24 * 3_600_000), {
    state: 'done',
    outcome: 'completed',
    assigneeId: technician.id,
    confirmedAt: new Date(),
  })
  await writeSheet(world, { ...visit, state: 'approved' }, completeAnswers.visit)
  const path = `/admin/cotizations/add-quote/${visit.id}`
  const form = await shown(visit.id)
  const send = (more = {}) => world.post(path, { ...form, ...more }, people.analyst)
  const change = (code: string, to: Partial<typeof catalogueItems.$inferInsert>) =>
    world.db.update(catalogueItems).set(to).where(eq(catalogueItems.code, code))
  await change('CAB-8', { unitPrice: 37_0000 })
  await change(form[lineField(0, 'lines', 0, 'code')]!, { active: false })
  const first = await send()
  expect(first.status).toBe(409)
  expectWords(
    readable(first),
    'El catálogo cambió mientras la hacías',
    'de $36.00 a $37.00 por m',
    'Hay partidas que el catálogo ya no tiene en uso',
  )
  const { catalogue, version } = await shown(visit.id)
  expect(first.text).toContain(`name="catalogue" value="${catalogue}"`)
  expect((await send({ catalogue, version })).status).toBe(303)
  expect(await world.db.select().from(quotes)).toMatchObject([{ state: 'sent' }])
})

import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sheets } from '../../src/server/platform/database/schema/appointments.ts'
import { around, customer, minute, visit } from '../kit/appointments.ts'
import { expectScreen, openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectWords, loaded, readable } from '../kit/reading.ts'
import { beThere, completeSheet } from '../kit/reports.ts'
import { press } from './phone.ts'

openEach(beThere)

const why = 'El muro es de carga. Lo cambiaría otra ruta.'
const send = async () => press(world, people.technician, visit, 'submit', around(visit, 9 * minute))
const put = (state: 'approved' | 'returned') =>
  world.db
    .update(sheets)
    .set({
      state,
      reviewedAt: new Date(),
      reviewedBy: people.analyst.id,
      returnReason: 'No se lee el medidor.',
    })
    .where(eq(sheets.appointmentId, visit.id))
const home = async () => readable(await world.visit('/', customer))

test('the customer reads why an approved visit is not viable, with a link to an analyst', async () => {
  await completeSheet(world, visit, { feasibility: 'not_viable', feasibilityReason: why })
  await send()
  expect(await home()).not.toContain(why)
  await put('approved')
  const page = await world.visit('/', customer)
  expectWords(readable(page), `Por ahora tu instalación no es viable: ${why}`, 'Hablar con un analista')
  expect(page.text).toContain('href="/agenda-videocall"')
})

type Home = {
  work: { groups: { kind: string; count: { total: number }; lines: { facts: string }[] }[] } | null
  returned: { folio: string }[] | null
}
const listsOf = async (who: Person) => {
  const { returned, work } = loaded<Home>(await world.data('/admin', who), 'projects/staff')
  const reports = work?.groups.find(({ kind }) => kind === 'report')
  return {
    toReview: work ? (reports?.lines.map(({ facts }) => facts.split(' · ').at(-1)) ?? []) : undefined,
    returned: returned?.map(({ folio }) => folio),
    figure: reports?.count.total,
  }
}

test('lists reports to review for the office, and returned ones for their technician', async () => {
  const { analyst, manager, technician, technician2, gester, ally } = people
  await completeSheet(world, visit)
  await send()
  const { folio } = visit
  for (const one of [analyst, manager])
    expect(await listsOf(one)).toEqual({ toReview: [folio], returned: undefined, figure: 1 })
  expect(await listsOf(technician)).toEqual({ toReview: undefined, returned: [], figure: undefined })
  await put('returned')
  for (const one of [analyst, manager]) expect((await listsOf(one)).toReview).toEqual([])
  expect((await listsOf(technician)).returned).toEqual([folio])
  expect((await listsOf(technician2)).returned).toEqual([])
  for (const one of [gester, ally])
    expect(await listsOf(one)).toEqual({ toReview: undefined, returned: undefined, figure: undefined })
  await expectScreen('/admin', technician, 'Reportes por corregir')
  await expectScreen('/admin', technician, 'No se lee el medidor.')
})

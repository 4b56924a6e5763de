import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sheets } from '../../src/server/platform/database/schema/appointments.ts'
import { around, customer, minute, visit } from '../kit/appointments.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { loaded, readable } from '../kit/reading.ts'
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

test('its customer reads whose turn it is after the visit', async () => {
  await completeSheet(world, visit)
  expect(await home()).toContain('está haciendo tu visita.')
  await send()
  expect(await home()).toContain('Revisamos lo que encontró tu técnico')
  await put('returned')
  expect(await home()).toContain('Tu técnico completa el reporte')
  await put('approved')
  expect(await home()).toContain('Estamos preparando tu cotización.')
})

test('a visit that found it not viable says why, and leads to an analyst', async () => {
  await completeSheet(world, visit, { feasibility: 'not_viable', feasibilityReason: why })
  await send()
  expect(await home()).not.toContain(why)
  await put('approved')
  const page = await world.visit('/', customer)
  expect(readable(page)).toContain(`Por ahora tu instalación no es viable: ${why}`)
  expect(readable(page)).toContain('Hablar con un analista')
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

test('what waits for a review is on the homes of the office, what came back on its technician’s', async () => {
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
  expect(readable(await world.visit('/admin', technician))).toContain('Reportes por corregir')
  expect(readable(await world.visit('/admin', technician))).toContain('No se lee el medidor.')
})

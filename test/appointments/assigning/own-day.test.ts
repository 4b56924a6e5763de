import { dayStarts } from '../../../src/platform/database/schema/accounts.ts'
import { zoneOf } from '../../../src/scheduling/roster.ts'
import { defaultTravel, travelBetween } from '../../../src/scheduling/rules/roster.ts'
import { addDays } from '../../../src/shared/calendar.ts'
import { longDate } from '../../../src/shared/format.ts'
import { around, hour, move, storeVisit, type Visit } from '../../kit/appointments.ts'
import {
  ally,
  analyst,
  db,
  expectNotOnPage,
  fixture,
  manager,
  openEach,
  pageText,
  storeRows,
  technician,
  technician2,
} from '../../kit/open.ts'
import { expectAnswered, expectShown, expectWords, loaded, readable } from '../../kit/reading.ts'
import { at, workday } from '../../kit/users.ts'
import type { Visitor } from '../../kit/visitor.ts'

openEach()

type Own = {
  isWeek: boolean
  days: { date: string; stops: { id: string; travel: number }[] }[]
} | null

const list = '/admin/appointments-pending'
const ownOf = async (who: Visitor, query = '') =>
  loaded<{ own: Own }>(await fixture.data(list + query, who), 'appointments/screens/pending').own
const stopsOf = (own: Own) => own!.days.flatMap(({ stops }) => stops)
const idsOf = (own: Own) => stopsOf(own).map(({ id }) => id)

const date = workday()
/** In Mexico City, so that hours around it are the same day. */
const noon = { startsAt: at(date, '12:00') }
const clock = (after: number) => fixture.at(around(noon, after * hour))

async function stop(after: number, input: Partial<Visit> = {}, home: Record<string, string> = {}) {
  const customer = await fixture.person({ name: 'Camila' })
  return storeVisit(fixture, customer, await fixture.home(customer, home), around(noon, after * hour), {
    assigneeId: technician.id,
    ...input,
  })
}

test('today holds a technician’s confirmed visits in order, with the travel between and their links', async () => {
  const late = await stop(2)
  const early = await stop(-3, {}, { postalCode: '03000' })
  await stop(24)
  await stop(4, { confirmedAt: null, state: 'requested' })
  await stop(5, { state: 'cancelled' })
  await stop(1, { assigneeId: technician2.id })
  clock(-4)
  const own = await ownOf(technician)
  expect(own!.days.map(({ date }) => date)).toEqual([date])
  expect(idsOf(own)).toEqual([early.id, late.id])
  expect(stopsOf(own)[0]!.travel).toBe(0)
  expect(stopsOf(own)[1]!.travel).toBeGreaterThan(0)
  const page = await fixture.visit(list, technician)
  expectShown(
    page,
    200,
    longDate(date),
    'Al cliente le dijimos: entre 9:00 y 9:30 a. m.',
    'tel:+525512345678',
    'https://wa.me/525512345678',
    'https://waze.com/ul?navigate=yes&amp;q=Calle%20Ejemplo%2012',
    'geo:0,0?q=Calle%20Ejemplo',
    'maps/dir/?api=1&amp;travelmode=driving&amp;destination=Calle%20Ejemplo%2012',
  )
  expect(readable(page)).toMatch(/9:00 a\. m\..*min de camino.*2:00 p\. m\./)
})

test('a stop shows who receives, with their own phone, and once begun since when', async () => {
  const receiver = { receiverName: 'Luis Prueba', receiverPhone: '5587654321', gateNotes: 'Timbre 4' }
  const visit = await stop(1, {}, receiver)
  const screens = ['/admin', list, `${list}/${visit.id}`]
  clock(0.5)
  for (const screen of screens) {
    const page = await fixture.visit(screen, technician)
    expectWords(readable(page), 'Recibe: Luis Prueba', '558 765 43 21', 'Acceso: Timbre 4')
    expect(page.text.match(/tel:\+525587654321/g)).toHaveLength(1)
    expect(readable(page)).not.toMatch(/desde la|Teléfono de quien recibe/)
  }
  clock(1)
  await expectAnswered(move(technician, visit, 'start'), 303)
  clock(1.5)
  for (const screen of [screens[0]!, screens[2]!])
    expect(await pageText(screen, technician)).toMatch(/desde la 1:00 p\. m\., 30 min/i)
})

test('the first stop of each day has the travel from where the technician’s day begins', async () => {
  await stop(-3, {}, { postalCode: '03000' })
  for (const after of [2, 24]) await stop(after)
  await storeRows(dayStarts, [
    { personId: technician.id, municipality: 'xochimilco' },
    { personId: technician2.id, municipality: 'toluca' },
  ])
  clock(-5)
  const travel = (from: string, to: string) => travelBetween(defaultTravel(), zoneOf(from), zoneOf(to))
  expect(stopsOf(await ownOf(technician, '?vista=semana')).map(({ travel }) => travel)).toEqual([
    travel('xochimilco', 'benito-juarez'),
    travel('benito-juarez', 'coyoacan'),
    travel('xochimilco', 'coyoacan'),
  ])
  expect(await pageText('/admin', technician)).toMatch(/\d+ min de camino, sal a las 8:\d\d/)
  await db.delete(dayStarts)
  await expectNotOnPage('/admin', technician, 'sal a la')
})

test('the week shows each of its days, what is over on days without open visits, and other weeks', async () => {
  const one = await stop(0)
  const other = await stop(24)
  const later = await stop(7 * 24)
  clock(-4)
  const week = await ownOf(technician, '?vista=semana')
  expect(week!.days.map(({ date }) => date)).toEqual([0, 1, 2, 3, 4, 5, 6].map((n) => addDays(date, n)))
  expect(idsOf(week)).toEqual([one.id, other.id])
  const words = () => pageText(`${list}?vista=semana`, technician)
  expect(await words()).toContain('Sin citas')
  expect(await words()).not.toContain('terminada')
  // The one at 26 hours stands beside an open visit, and is not counted.
  for (const after of [26, 48, 72]) await stop(after, { state: 'done' })
  await stop(73, { state: 'no_show' })
  expect(await words()).toMatch(/1 cita terminada.*2 citas terminadas/)
  expect(idsOf(await ownOf(technician, `?vista=semana&dia=${addDays(date, 7)}`))).toEqual([later.id])
})

test('an analyst has their calls; a manager and an ally have no day of their own', async () => {
  const call = { service: 'videocall', assigneeId: analyst.id, municipality: null, address: null } as const
  const { id } = await stop(1, call)
  clock(-4)
  expect(idsOf(await ownOf(analyst))).toEqual([id])
  expect(idsOf(await ownOf(technician))).toEqual([])
  for (const who of [manager, ally]) expect(await ownOf(who)).toBeNull()
})

test('a technician’s list is folded below the day, and open alone when it is filtered', async () => {
  const next = await stop(1)
  await stop(3, {}, { postalCode: '03000' })
  clock(-4)
  const seen = async (who: Visitor, query = '') => {
    const page = await fixture.visit(list + query, who)
    const fold = /<details([^>]*)><summary[^>]*>(?:(?!<summary).)*?Buscar y ver todas/.exec(page.text)
    const day = readable(page).includes('Al cliente le dijimos')
    return { list: fold && (/\sopen/.test(fold[1]!) ? 'open' : 'folded'), day }
  }
  expect(await seen(technician)).toEqual({ list: 'folded', day: true })
  expect(await seen(technician, '?vista=semana')).toEqual({ list: 'folded', day: false })
  const place = `?after=${next.startsAt.getTime()}_${next.id}&page=2`
  for (const query of ['?text=camila', '?order=reverse', place])
    expect([query, await seen(technician, query)]).toEqual([query, { list: 'open', day: false }])
  expect(await seen(manager)).toEqual({ list: null, day: false })
})

test('a step pressed in the day leads back to it, otherwise to the visit', async () => {
  const next = await stop(1)
  clock(0.75)
  const press = async (name: string, form = {}) => (await move(technician, next, name, form)).location
  expect(await press('setOut', { from: 'day' })).toBe(list)
  const text = await pageText(list, technician)
  expect(text).toContain('Ya llegué: iniciar')
  expect(text).not.toContain('Voy en camino')
  expect(await press('undoSetOut')).toBe(`${list}/${next.id}`)
  expect(await press('setOut', { from: 'constructor' })).toBe(`${list}/${next.id}`)
})

import { expect, test } from 'vitest'
import { defaultTravel, travelBetween } from '../../../src/domain/scheduling/roster.ts'
import { addDays } from '../../../src/domain/shared/calendar.ts'
import { longDate } from '../../../src/domain/shared/format.ts'
import { dayStarts } from '../../../src/server/platform/database/schema/accounts.ts'
import { zoneOf } from '../../../src/server/scheduling/roster.ts'
import { around, hour, move, storeVisit, type Visit } from '../../kit/appointments.ts'
import { openEach, people, world } from '../../kit/open.ts'
import { expectWords, loaded, readable } from '../../kit/reading.ts'
import { at, workday } from '../../kit/users.ts'

openEach()

type Own = {
  isWeek: boolean
  days: { date: string; stops: { id: string; travel: number }[] }[]
} | null
type Asker = Parameters<typeof world.data>[1]

const list = '/admin/appointments-pending'
const ownOf = async (who: Asker, query = '') =>
  loaded<{ own: Own }>(await world.data(list + query, who), 'appointments/pending').own

const date = workday()
/** In Mexico City, so that hours around it are the same day. */
const noon = at(date, '12:00')

async function stop(after: number, postalCode: string, wish: Partial<Visit> = {}, receiver = {}) {
  const customer = await world.person({ name: 'Camila' })
  const home = await world.home(customer, { postalCode, ...receiver })
  return storeVisit(world, customer, home, around({ startsAt: noon }, after * hour), {
    assigneeId: people.technician.id,
    ...wish,
  })
}

test('today comes in its order, with the way between and what one taps on it', async () => {
  const late = await stop(2, '04000')
  const early = await stop(-3, '03000')
  await stop(24, '04000')
  await stop(4, '04000', { confirmedAt: null, state: 'requested' })
  await stop(5, '04000', { state: 'cancelled' })
  await stop(1, '04000', { assigneeId: people.technician2.id })
  world.at(around({ startsAt: noon }, -4 * hour))
  const own = await ownOf(people.technician)
  expect(own!.days.map(({ date }) => date)).toEqual([date])
  expect(own!.days[0]!.stops.map(({ id }) => id)).toEqual([early.id, late.id])
  expect(own!.days[0]!.stops[0]!.travel).toBe(0)
  expect(own!.days[0]!.stops[1]!.travel).toBeGreaterThan(0)
  const page = await world.visit(list, people.technician)
  expect(readable(page)).toContain(longDate(date))
  expect(readable(page)).toMatch(/9:00 a\. m\..*min de camino.*2:00 p\. m\./)
  expect(readable(page)).toContain('Al cliente le dijimos: entre 9:00 y 9:30 a. m.')
  expectWords(page.text, 'tel:+525512345678', 'https://wa.me/525512345678')
  expectWords(
    page.text,
    'https://waze.com/ul?navigate=yes&amp;q=Calle%20Ejemplo%2012',
    'geo:0,0?q=Calle%20Ejemplo',
  )
  expect(page.text).toMatch(/maps\/dir\/\?api=1&amp;travelmode=driving&amp;destination=Calle%20Ejemplo%2012/)
})

test('who receives, by their own phone, and how one comes in stand with the stop; then since when it goes on', async () => {
  const receiver = { receiverName: 'Luis Prueba', receiverPhone: '5587654321', gateNotes: 'Timbre 4' }
  const visit = await stop(1, '04000', {}, receiver)
  world.at(around({ startsAt: noon }, 0.5 * hour))
  for (const screen of ['/admin', list, `${list}/${visit.id}`]) {
    const page = await world.visit(screen, people.technician)
    expectWords(readable(page), 'Recibe: Luis Prueba', '558 765 43 21', 'Acceso: Timbre 4')
    expect(page.text.match(/tel:\+525587654321/g)).toHaveLength(1)
    expect(readable(page)).not.toContain('desde la')
    expect(readable(page)).not.toContain('Teléfono de quien recibe')
  }
  world.at(around({ startsAt: noon }, hour))
  expect((await move(world, people.technician, visit, 'start')).status).toBe(303)
  world.at(around({ startsAt: noon }, 1.5 * hour))
  for (const screen of ['/admin', `${list}/${visit.id}`])
    expect(readable(await world.visit(screen, people.technician))).toMatch(/desde la 1:00 p\. m\., 30 min/i)
})

test('the first stop of each day knows its way from where its technician’s days begin', async () => {
  for (const [after, postalCode] of [
    [-3, '03000'],
    [2, '04000'],
    [24, '04000'],
  ] as const)
    await stop(after, postalCode)
  await world.db.insert(dayStarts).values({ personId: people.technician.id, municipality: 'xochimilco' })
  await world.db.insert(dayStarts).values({ personId: people.technician2.id, municipality: 'toluca' })
  world.at(around({ startsAt: noon }, -5 * hour))
  const ways = ({ days }: NonNullable<Own>) => days.flatMap(({ stops }) => stops.map(({ travel }) => travel))
  const [toBenito, between, toCoyoacan] = ways((await ownOf(people.technician, '?vista=semana'))!)
  const [xochimilco, benito, coyoacan] = ['xochimilco', 'benito-juarez', 'coyoacan'].map(zoneOf)
  const rides = defaultTravel()
  expect([toBenito, between, toCoyoacan]).toEqual([
    travelBetween(rides, xochimilco!, benito!),
    travelBetween(rides, benito!, coyoacan!),
    travelBetween(rides, xochimilco!, coyoacan!),
  ])
  expect(readable(await world.visit('/admin', people.technician))).toMatch(
    /\d+ min de camino, sal a las 8:\d\d/,
  )
  await world.db.delete(dayStarts)
  expect(readable(await world.visit('/admin', people.technician))).not.toContain('sal a la')
})

test('the week shows each of its days, and another week is a link away', async () => {
  const one = await stop(0, '04000')
  const other = await stop(24, '04000')
  const later = await stop(7 * 24, '04000')
  world.at(around({ startsAt: noon }, -4 * hour))
  const week = await ownOf(people.technician, '?vista=semana')
  expect(week!.days.map(({ date }) => date)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((later) => addDays(date, later)),
  )
  expect(week!.days.flatMap(({ stops }) => stops.map(({ id }) => id))).toEqual([one.id, other.id])
  const words = async () => readable(await world.visit(`${list}?vista=semana`, people.technician))
  expect(await words()).toContain('Sin citas')
  expect(await words()).not.toContain('terminada')
  await stop(48, '04000', { state: 'done' })
  await stop(72, '04000', { state: 'done' })
  await stop(73, '04000', { state: 'no_show' })
  // Beside what is still to come nobody counts.
  await stop(26, '04000', { state: 'done' })
  expect(await words()).toMatch(/1 cita terminada.*2 citas terminadas/)
  const next = await ownOf(people.technician, `?vista=semana&dia=${addDays(date, 7)}`)
  expect(next!.days.flatMap(({ stops }) => stops.map(({ id }) => id))).toEqual([later.id])
  for (const nonsense of ['nada', '2026-02-31', '9999-99-99', "'--"])
    expect(
      (await ownOf(people.technician, `?vista=semana&dia=${encodeURIComponent(nonsense)}`))!.isWeek,
    ).toBe(true)
})

test('an analyst has calls of their own; nobody else has a day', async () => {
  const call = await stop(1, '04000', {
    service: 'videocall',
    assigneeId: people.analyst.id,
    municipality: null,
    address: null,
  })
  world.at(around({ startsAt: noon }, -4 * hour))
  expect((await ownOf(people.analyst))!.days[0]!.stops.map(({ id }) => id)).toEqual([call.id])
  expect((await ownOf(people.technician))!.days[0]!.stops).toEqual([])
  expect(readable(await world.visit(list, people.technician))).toContain('No te queda ninguna cita hoy.')
  for (const who of [people.manager, people.ally]) expect(await ownOf(who)).toBeNull()
})

test('a technician’s list is folded behind the day, whose next stop has its step; what is looked for stands alone', async () => {
  const [next] = [await stop(1, '04000'), await stop(3, '03000')]
  world.at(around({ startsAt: noon }, -4 * hour))
  const seen = async (who: Asker, query = '') => {
    const { text } = await world.visit(list + query, who)
    const fold = /<details([^>]*)><summary[^>]*>(?:(?!<summary).)*?Buscar y ver todas/.exec(text)
    const words = readable({ text } as Parameters<typeof readable>[0])
    return {
      list: fold && (/\sopen/.test(fold[1]!) ? 'open' : 'folded'),
      day: words.includes('Al cliente le dijimos'),
      steps: words.split('Voy en camino').length - 1,
    }
  }
  expect(await seen(people.technician)).toEqual({ list: 'folded', day: true, steps: 1 })
  expect(await seen(people.technician, '?vista=semana')).toEqual({ list: 'folded', day: false, steps: 0 })
  const alone = { list: 'open', day: false, steps: 0 }
  const place = `?after=${next.startsAt.getTime()}_${next.id}&page=2`
  for (const query of ['?text=camila', '?view=hoy', '?state=assigned', '?order=reverse', place])
    expect([query, await seen(people.technician, query)]).toEqual([query, alone])
  // What is no filter of theirs narrows nothing.
  for (const query of ['?view=tarde', '?month=99', `?person=${people.technician.id}`])
    expect([query, (await seen(people.technician, query)).list]).toEqual([query, 'folded'])
  const count = /Buscar y ver todas 2 citas/
  expect(readable(await world.visit(list, people.technician))).toMatch(count)
  for (const who of [people.manager, people.analyst])
    expect(await seen(who)).toEqual({ list: null, day: false, steps: 0 })

  // A press there leads back there.
  world.at(around({ startsAt: noon }, 0.75 * hour))
  expect((await move(world, people.technician, next, 'setOut', { from: 'day' })).location).toBe(list)
  const { text } = await world.visit(list, people.technician)
  expect(text).toContain('Ya llegué: iniciar')
  expect(text).not.toContain('Voy en camino')
  const undone = await move(world, people.technician, next, 'undoSetOut')
  expect(undone.location).toBe(`${list}/${next.id}`)
  const elsewhere = { from: 'constructor' }
  expect((await move(world, people.technician, next, 'setOut', elsewhere)).location).toBe(
    `${list}/${next.id}`,
  )
})

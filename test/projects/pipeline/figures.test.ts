import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type FigureFile,
  figureFiles,
  figurePeriodOf,
  type OfficeFigures,
} from '../../../src/domain/projects/figures.ts'
import { shifts, timeOff, users } from '../../../src/server/platform/database/schema/accounts.ts'
import { payments, refunds } from '../../../src/server/platform/database/schema/payments.ts'
import { projects } from '../../../src/server/platform/database/schema/projects.ts'
import { officeFigures } from '../../../src/server/projects/figures.ts'
import { minute, storeVisit, type Visit } from '../../kit/appointments.ts'
import { openOnce, people, world } from '../../kit/open.ts'
import type { Home, Person } from '../../kit/people.ts'
import { storeDraft } from '../../kit/quotes.ts'
import { readable } from '../../kit/reading.ts'
import type { Answer } from '../../kit/visitor.ts'

openOnce({ MODULES: 'clients' })

/** A moment by the clock of Mexico City. */
const at = (local: string) => new Date(`${local}-06:00`)
const [today, now] = ['2025-03-31', at('2025-03-31T12:00:00')]
let figures: OfficeFigures

type Told = { who: Person; home: Home; visit: Visit }
let rosa: Person

/** A project opened and booked on the first days, whose visit was carried out. */
async function project(
  opened: string,
  booked: string,
  startsAt: string,
  late: number,
  agencyId?: string,
): Promise<Told> {
  const who = await world.person()
  const home = await world.home(who, {}, agencyId)
  await world.db
    .update(projects)
    .set({ createdAt: at(opened) })
    .where(eq(projects.id, home.projectId))
  const start = at(startsAt)
  const visit = await storeVisit(world, who, home, start, {
    state: 'done',
    outcome: 'completed',
    assigneeId: rosa.id,
    createdAt: at(booked),
    startedAt: new Date(start.getTime() + late * minute),
    finishedAt: new Date(start.getTime() + 50 * minute),
  })
  return { who, home, visit }
}

const sent = (visit: Visit, sentAt: Date, wish: Parameters<typeof storeDraft>[3] = {}) =>
  storeDraft(world, visit, people.analyst, {
    state: 'expired',
    digest: 'a'.repeat(64),
    sentAt,
    sentBy: people.analyst.id,
    validUntil: new Date(sentAt.getTime() + 15 * 1440 * minute),
    endedAt: new Date(sentAt.getTime() + 15 * 1440 * minute),
    ...wish,
  })

const accepted = (visit: Visit, sentAt: Date, acceptedAt: Date) =>
  sent(visit, sentAt, {
    state: 'accepted',
    endedAt: null,
    answeredAt: acceptedAt,
    acceptedAt,
    acceptedOption: 'recommended',
    acceptedTotal: 10_000_00,
    depositAmount: 5_000_00,
    acceptedName: 'Nora',
    acceptedDigest: 'a'.repeat(64),
  })

/** Rows of the ledger, the ends of months by the second. */
async function storeLedger({ home, who }: Told) {
  const base = { projectId: home.projectId, customerId: who.id, concept: 'deposit', method: 'spei' } as const
  const paid = async (amount: number, paidAt: string, wish: Partial<typeof payments.$inferInsert> = {}) => {
    const row = { ...base, folio: `PAG-${randomUUID()}`, state: 'paid', amount, paidAt: at(paidAt) } as const
    const [stored] = await world.db
      .insert(payments)
      .values({ ...row, ...wish })
      .returning()
    return stored!
  }
  await paid(1_000_00, '2025-02-28T23:59:59')
  await paid(500_00, '2025-03-01T00:00:00')
  const wrong = await paid(300_00, '2025-03-31T23:59:59')
  await paid(-300_00, '2025-03-31T23:59:59', { reversesId: wrong.id })
  // Of February, corrected in March: February stays as it was, and March has both rows of the correction.
  const old = await paid(40_00, '2025-02-20T12:00:00')
  const counts = { countsAt: at('2025-03-04T12:00:00') }
  await paid(-40_00, '2025-02-20T12:00:00', { reversesId: old.id, ...counts })
  await paid(4_00, '2025-02-20T12:00:00', counts)
  await paid(77_00, '2025-04-01T00:00:00')
  const [refund] = await world.db
    .insert(refunds)
    .values({ folio: `REE-${randomUUID()}`, ...base, amount: 100_00, reason: 'Pagó de más' })
    .returning()
  await paid(-100_00, '2025-03-15T12:00:00', { concept: 'refund', refundId: refund!.id })
  const asked = (amount: number, createdAt: string, dueAt: string) => ({
    ...base,
    method: null,
    folio: `PAG-${randomUUID()}`,
    concept: 'cfe_paperwork' as const,
    amount,
    createdAt: at(createdAt),
    dueAt: at(dueAt),
  })
  await world.db
    .insert(payments)
    .values([
      asked(200_00, '2025-03-10T12:00:00', '2025-03-20T12:00:00'),
      asked(50_00, '2025-02-10T12:00:00', '2025-04-20T12:00:00'),
      { ...asked(999_00, '2025-03-10T12:00:00', '2025-03-20T12:00:00'), state: 'cancelled' },
    ])
}

async function storeClosed(startsAt: string, wish: Parameters<typeof storeVisit>[4]) {
  const who = await world.person()
  await storeVisit(world, who, await world.home(who), at(startsAt), { assigneeId: rosa.id, ...wish })
}

async function storeStaff() {
  rosa = await world.person({
    kind: 'tecnician',
    name: 'Rosa',
    lastname: 'Ríos',
    shifts: [{ weekday: 0, from: 540, to: 1020 }],
  })
  await world.db
    .update(users)
    .set({ signedUpAt: at('2024-01-01T12:00:00') })
    .where(eq(users.id, rosa.id))
  const during = `[${at('2025-03-24T09:00:00').toISOString()},${at('2025-03-24T13:00:00').toISOString()})`
  await world.db
    .insert(timeOff)
    .values({ personId: rosa.id, during, approvedAt: now, approvedBy: people.manager.id })
  // Refused time off changes nothing, nor do shifts of those who came later.
  await world.db.insert(timeOff).values({ personId: rosa.id, during: during.replaceAll('-24T', '-10T') })
  await world.db.insert(shifts).values({ personId: people.gester.id, weekday: 0, starts: 540, ends: 1020 })
}

beforeAll(async () => {
  await storeStaff()
  const ended = await project('2025-02-01T12:00:00', '2025-02-11T12:00:00', '2025-02-28T23:00:00', 0)
  const won = await project(
    '2025-02-01T12:00:00',
    '2025-02-11T12:00:00',
    '2025-03-01T00:00:00',
    31,
    people.ally.agencyId!,
  )
  await project('2025-03-01T12:00:00', '2025-03-11T12:00:00', '2025-03-31T23:00:00', 30)
  const other = await project('2025-03-01T12:00:00', '2025-03-01T12:00:00', '2025-04-01T00:00:00', 0)
  await sent(ended.visit, at('2025-03-02T12:00:00'))
  await sent(other.visit, at('2025-02-27T12:00:00'))
  await accepted(won.visit, at('2025-03-05T12:00:00'), at('2025-03-10T12:00:00'))
  await storeVisit(world, won.who, won.home, at('2025-03-20T09:00:00'), {
    service: 'installation',
    state: 'done',
    outcome: 'completed',
    finishedAt: at('2025-03-20T12:00:00'),
  })
  await world.db
    .update(projects)
    .set({ depositPaidAt: at('2025-03-12T12:00:00') })
    .where(eq(projects.id, won.home.projectId))
  await storeLedger(won)
  await storeClosed('2025-03-05T12:00:00', { state: 'cancelled', closingReason: 'clima', late: true })
  await storeClosed('2025-03-06T12:00:00', { state: 'cancelled' })
  await storeClosed('2025-02-10T12:00:00', { state: 'cancelled', closingReason: 'clima' })
  await storeClosed('2025-03-07T12:00:00', { state: 'no_show' })
  const before = await world.home(await world.person())
  for (const [id, closedAt] of [
    [ended.home.projectId, '2025-03-31T23:59:59'],
    [before.projectId, '2025-02-28T23:59:59'],
  ] as const)
    await world.db
      .update(projects)
      .set({ closedAt: at(closedAt), lostReason: 'precio' })
      .where(eq(projects.id, id))
  figures = (await officeFigures(world.db, people.analyst.actor, figurePeriodOf('mes', today), now))!
}, 120_000)

describe('in March 2025, by the clock of Mexico City', () => {
  test('income is the ledger’s rows, reversals and refunds included', () => {
    const { before, now: march, open, trend } = figures.income!
    expect(march).toEqual({ received: 464_00, returned: 100_00, owed: 200_00 })
    expect(before).toEqual({ received: 1_040_00, returned: 0, owed: 50_00 })
    expect(open).toEqual({ owed: 250_00, overdue: 200_00 })
    expect([trend.length, trend[10], trend[11]]).toEqual([12, before, march])
    expect(trend[9]).toEqual({ received: 0, returned: 0, owed: 0 })
  })

  test('occupancy is hours booked of hours of shifts', () => {
    const { before, now: march, people: each, trend } = figures.occupancy
    expect(each).toEqual([
      {
        id: rosa.id,
        name: 'Rosa Ríos',
        now: { booked: 180, shift: 4 * 480 - 240 },
        before: { booked: 60, shift: 3 * 480 },
      },
    ])
    expect([march, before]).toEqual([each[0]!.now, each[0]!.before])
    // From 24 February to 2 March, with both ends of a month; and the one day that has passed of the last week.
    expect([trend.length, trend[7], trend[12]]).toEqual([
      13,
      { booked: 120, shift: 480 },
      { booked: 60, shift: 480 },
    ])
  })

  test('conversion follows the projects that were visited', () => {
    const { agencies, before, now: march, sellers, trend } = figures.conversion
    expect(march).toEqual({ visited: 2, quoted: 1, accepted: 1, installed: 1 })
    expect(before).toEqual({ visited: 1, quoted: 1, accepted: 0, installed: 0 })
    expect([trend[10], trend[11]]).toEqual([before, march])
    const nothing = { visited: 0, quoted: 0, accepted: 0, installed: 0 }
    expect(agencies).toEqual([
      {
        id: people.ally.agencyId,
        name: expect.any(String),
        now: { visited: 1, quoted: 1, accepted: 1, installed: 1 },
        before: nothing,
      },
      {
        id: null,
        name: null,
        now: { ...nothing, visited: 1 },
        before: { ...nothing, visited: 1, quoted: 1 },
      },
    ])
    expect(sellers).toEqual([
      {
        id: people.analyst.id,
        name: expect.any(String),
        now: { sent: 2, accepted: 1 },
        before: { sent: 1, accepted: 0 },
      },
    ])
  })

  test('a stage counts when it ended', () => {
    const of = (stage: string) => figures.days.stages.find((row) => row.stage === stage)!
    expect(of('intake')).toEqual({
      stage: 'intake',
      now: { count: 2, median: 50, slow: 90 },
      before: { count: 2, median: 100, slow: 100 },
    })
    expect(of('visit').before.count).toBe(1)
    expect(of('visit').now.count).toBe(2)
    expect(of('quoting').now).toEqual({ count: 1, median: 95, slow: 95 })
    expect(of('deposit').now).toEqual({ count: 1, median: 20, slow: 20 })
    expect(of('installing').now).toEqual({ count: 1, median: 80, slow: 80 })
    expect(figures.days.now).toEqual({ count: 1, median: 470, slow: 470 })
    expect(figures.days.trend[11]).toEqual(figures.days.now)
    expect(figures.days.trend[10]).toEqual({ count: 0, median: null, slow: null })
  })

  test('on time is until the end of the arrival window', () => {
    expect(figures.onTime.now).toEqual({ began: 2, onTime: 1 })
    expect(figures.onTime.before).toEqual({ began: 1, onTime: 1 })
    expect(figures.onTime.people).toEqual([
      { id: rosa.id, name: 'Rosa Ríos', now: { began: 2, onTime: 1 }, before: { began: 1, onTime: 1 } },
    ])
  })

  test('cancellations have their reasons, on the day that was booked', () => {
    const { before, lost, now: march, reasons } = figures.closings
    expect(march).toEqual({ all: 6, cancelled: 2, noShow: 1 })
    expect(before).toEqual({ all: 2, cancelled: 1, noShow: 0 })
    expect(reasons).toEqual([
      { reason: 'clima', now: 1, before: 1, late: 1 },
      { reason: null, now: 1, before: 0, late: 0 },
    ])
    expect(lost).toEqual([{ reason: 'precio', now: 1, before: 1, afterQuote: 1 }])
  })

  test('an empty month holds zeros', async () => {
    const empty = (await officeFigures(world.db, people.manager.actor, figurePeriodOf('2022', today), now))!
    expect(empty.income!.now).toEqual({ received: 0, returned: 0, owed: 0 })
    expect(empty.occupancy.people).toEqual([])
    expect([empty.days.now.median, empty.closings.reasons, empty.conversion.agencies]).toEqual([null, [], []])
  })
})

/** The cards of the page, by their ids. */
function cardsIn(text: string): Record<string, string> {
  const parts = text.split(/<section id="(?=[a-z-]+")/).slice(1)
  return Object.fromEntries(
    parts.map((part) => [/^[a-z-]+/.exec(part)![0], part]).filter(([id]) => id! in figureFiles),
  )
}

describe('the screen', () => {
  const page = '/admin/cifras'
  const file = (name: string) => `${page}/${name}.csv?periodo=2025`

  test('draws each figure on the server, with its table and its file', async () => {
    const answer = await world.visit(`${page}?periodo=2025`, people.analyst)
    const text = readable(answer)
    const cards = cardsIn(answer.text)
    for (const words of [
      'Cifras del 1 ene 2025 al 31 dic 2025',
      'El precio',
      'Clima',
      'Rosa Ríos',
      '$1,481.00',
    ])
      expect(text).toContain(words)
    expect(answer.text).toContain('Gráfica de lo cobrado y lo que falta por cobrar')
    expect(Object.keys(cards).toSorted()).toEqual(Object.keys(figureFiles).toSorted())
    for (const name of Object.keys(figureFiles) as FigureFile[]) {
      // A trend, a bar for each row, or the steps; in the same card the table and its file.
      const drawn =
        name.endsWith('-por-mes') || name === 'ocupacion-por-semana'
          ? /<svg[^>]*height="216"/
          : /<svg[^>]*height="8"|style="width:\d+%"/
      expect([name, drawn.test(cards[name]!)]).toEqual([name, true])
      expect([name, cards[name]!.match(/<table/g)?.length]).toEqual([name, 1])
      expect(cards[name]).toContain(file(name).replaceAll('&', '&amp;'))
      expect([name, (await world.visit(file(name), people.analyst)).status]).toEqual([name, 200])
    }
    expect(answer.text).toContain('periodo=mes-anterior')
    const { text: csv } = await world.visit(file('puntualidad'), people.analyst)
    const row = csv.split('\r\n').find((line) => line.startsWith('Rosa'))!
    expect(row).toMatch(/^Rosa Ríos,4,3,1,75/)
    const told = readable({ text: cards.puntualidad! } as Answer)
    expect(told.replace(/\s+/g, ' ')).toContain(row.split(',').join(' ').replace(/\s+/g, ' '))
    for (const name of ['conversion-por-concesionaria', 'conversion-por-analista', 'conversion-por-paso'])
      expect([name, readable({ text: cards[name]! } as Answer)]).toEqual([
        name,
        expect.stringMatching(/antes (\d|–)/),
      ])
    const { text: money } = await world.visit(file('ingresos-por-mes'), people.manager)
    expect(money).toContain('Marzo 2025,464.00,100.00,364.00,200.00')
  })

  test('says in words that there is nothing, and takes no other period', async () => {
    const text = readable(await world.visit(`${page}?periodo=2024`, people.manager))
    expect(text).toContain('No se ha cobrado ni pedido nada en estos meses.')
    expect((await world.visit(`${page}?periodo=%27`, people.manager)).status).toBe(200)
  })

  test('is the office’s alone: others get no figure and no file', async () => {
    for (const who of [people.gester, people.technician, people.ally])
      expect(await officeFigures(world.db, who.actor, figurePeriodOf('mes', today), now)).toBeNull()
    const raw = await world.visit(page, people.gester)
    expect(raw.text + (await world.data(page, people.gester)).text).not.toMatch(/Gráfica|Ingresos|received/)
    for (const name of Object.keys(figureFiles)) {
      expect([name, (await world.visit(file(name), people.gester)).status]).toEqual([name, 404])
      for (const who of [people.technician, people.ally])
        expect([name, (await world.visit(file(name), who)).status]).toEqual([name, 404])
    }
    for (const who of [people.gester, people.technician, people.ally])
      expect((await world.visit(page, who)).status).toBe(404)
    expect((await world.visit(file('otra-cosa'), people.manager)).status).toBe(404)
  })

  test('is there without the module, from home and by its old address', async () => {
    const off = world.under({ MODULES: '' })
    for (const who of [people.manager, people.analyst]) {
      expect((await off.visit(page, who)).status).toBe(200)
      expect((await off.visit(file('puntualidad'), who)).status).toBe(200)
      expect((await off.visit('/admin', who)).text).toContain('href="/admin/cifras"')
    }
    expect((await world.visit('/admin', people.gester)).text).not.toContain('href="/admin/cifras"')
    const old = await world.visit('/admin/clients?parte=cifras&periodo=2025', people.manager)
    expect(old.location).toBe('/admin/cifras?periodo=2025')
  })
})

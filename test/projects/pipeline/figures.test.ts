import { randomUUID } from 'node:crypto'
import { officeFigures } from '../../../src/customers/figures.ts'
import { figureFiles, figurePeriodOf, type OfficeFigures } from '../../../src/customers/rules/figures.ts'
import { shifts, timeOff, users } from '../../../src/platform/database/schema/accounts.ts'
import { payments, refunds } from '../../../src/platform/database/schema/payments.ts'
import { projects } from '../../../src/platform/database/schema/projects.ts'
import { minute, storeVisit, type Visit, visitAtHome } from '../../kit/appointments.ts'
import {
  ally,
  analyst,
  db,
  expectScreen,
  fixture,
  gester,
  manager,
  markupOf,
  newHome,
  newPerson,
  openOnce,
  setRow,
  storeRows,
  technician,
} from '../../kit/open.ts'
import type { Home, Person } from '../../kit/people.ts'
import { storeDraft } from '../../kit/quotes.ts'
import { expectAnswered, expectWords, readable } from '../../kit/reading.ts'
import type { Answer } from '../../kit/visitor.ts'

openOnce({ MODULES: 'clients' })

/** A moment by the clock of Mexico City. */
const at = (local: string) => new Date(`${local}-06:00`)
const noon = (day: string) => at(`${day}T12:00:00`)
const today = '2025-03-31'
const now = noon(today)
let figures: OfficeFigures

type Project = { who: Person; home: Home; visit: Visit }
let rosa: Person

const change = ({ projectId }: Home, set: Partial<typeof projects.$inferInsert>) =>
  setRow(projects, projectId, set)

/** A project opened and booked on the first days, whose visit was carried out. */
async function project(
  opened: string,
  booked: string,
  startsAt: string,
  late: number,
  agencyId?: string,
): Promise<Project> {
  const who = await newPerson()
  const home = await newHome(who, {}, agencyId)
  await change(home, { createdAt: noon(opened) })
  const start = at(startsAt)
  const visit = await storeVisit(fixture, who, home, start, {
    state: 'done',
    outcome: 'completed',
    assigneeId: rosa.id,
    createdAt: noon(booked),
    startedAt: new Date(start.getTime() + late * minute),
    finishedAt: new Date(start.getTime() + 50 * minute),
  })
  return { who, home, visit }
}

/** A quote that expired, unless `set` says otherwise. */
function send(visit: Visit, day: string, set: Parameters<typeof storeDraft>[3] = {}) {
  const sentAt = noon(day)
  const validUntil = new Date(sentAt.getTime() + 15 * 1440 * minute)
  const digest = 'a'.repeat(64)
  const quote = { digest, sentAt, sentBy: analyst.id, validUntil }
  const expired = { state: 'expired', endedAt: validUntil } as const
  return storeDraft(fixture, visit, analyst, { ...quote, ...expired, ...set })
}

const accept = (visit: Visit, day: string, acceptedAt: Date) =>
  send(visit, day, {
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
async function storeLedger({ home, who }: Project) {
  const base = { projectId: home.projectId, customerId: who.id, concept: 'deposit', method: 'spei' } as const
  const paid = async (amount: number, paidAt: string, set: Partial<typeof payments.$inferInsert> = {}) => {
    const row = { ...base, folio: `PAG-${randomUUID()}`, state: 'paid', amount, paidAt: at(paidAt) } as const
    const [stored] = await storeRows(payments, { ...row, ...set })
    return stored!
  }
  await paid(1_000_00, '2025-02-28T23:59:59')
  await paid(500_00, '2025-03-01T00:00:00')
  const wrong = await paid(300_00, '2025-03-31T23:59:59')
  await paid(-300_00, '2025-03-31T23:59:59', { reversesId: wrong.id })
  // Of February, corrected in March: February stays as it was, and March has both rows of the correction.
  const old = await paid(40_00, '2025-02-20T12:00:00')
  const counts = { countsAt: noon('2025-03-04') }
  await paid(-40_00, '2025-02-20T12:00:00', { reversesId: old.id, ...counts })
  await paid(4_00, '2025-02-20T12:00:00', counts)
  await paid(77_00, '2025-04-01T00:00:00')
  const [refund] = await storeRows(refunds, {
    folio: `REE-${randomUUID()}`,
    ...base,
    amount: 100_00,
    reason: 'Pagó de más',
  })
  await paid(-100_00, '2025-03-15T12:00:00', { concept: 'refund', refundId: refund!.id })
  const charge = (amount: number, created: string, due: string) => ({
    ...base,
    method: null,
    folio: `PAG-${randomUUID()}`,
    concept: 'cfe_paperwork' as const,
    amount,
    createdAt: noon(created),
    dueAt: noon(due),
  })
  await storeRows(payments, [
    charge(200_00, '2025-03-10', '2025-03-20'),
    charge(50_00, '2025-02-10', '2025-04-20'),
    { ...charge(999_00, '2025-03-10', '2025-03-20'), state: 'cancelled' },
  ])
}

async function storeClosed(day: string, set: Parameters<typeof storeVisit>[4]) {
  const who = await newPerson()
  await visitAtHome(who, noon(day), { assigneeId: rosa.id, ...set })
}

async function storeStaff() {
  rosa = await newPerson({
    kind: 'tecnician',
    name: 'Rosa',
    lastname: 'Ríos',
    shifts: [{ weekday: 0, from: 540, to: 1020 }],
  })
  await setRow(users, rosa.id, { signedUpAt: noon('2024-01-01') })
  const during = `[${at('2025-03-24T09:00:00').toISOString()},${at('2025-03-24T13:00:00').toISOString()})`
  await storeRows(timeOff, { personId: rosa.id, during, approvedAt: now, approvedBy: manager.id })
  // Refused time off changes nothing, nor do shifts of those who came later.
  await storeRows(timeOff, { personId: rosa.id, during: during.replaceAll('-24T', '-10T') })
  await storeRows(shifts, { personId: gester.id, weekday: 0, starts: 540, ends: 1020 })
}

beforeAll(async () => {
  await storeStaff()
  const ended = await project('2025-02-01', '2025-02-11', '2025-02-28T23:00:00', 0)
  const won = await project('2025-02-01', '2025-02-11', '2025-03-01T00:00:00', 31, ally.agencyId!)
  await project('2025-03-01', '2025-03-11', '2025-03-31T23:00:00', 30)
  const other = await project('2025-03-01', '2025-03-01', '2025-04-01T00:00:00', 0)
  await send(ended.visit, '2025-03-02')
  await send(other.visit, '2025-02-27')
  await accept(won.visit, '2025-03-05', noon('2025-03-10'))
  await storeVisit(fixture, won.who, won.home, at('2025-03-20T09:00:00'), {
    service: 'installation',
    state: 'done',
    outcome: 'completed',
    finishedAt: noon('2025-03-20'),
  })
  await change(won.home, { depositPaidAt: noon('2025-03-12') })
  await storeLedger(won)
  await storeClosed('2025-03-05', { state: 'cancelled', closingReason: 'clima', late: true })
  await storeClosed('2025-03-06', { state: 'cancelled' })
  await storeClosed('2025-02-10', { state: 'cancelled', closingReason: 'clima' })
  await storeClosed('2025-03-07', { state: 'no_show' })
  // Carried out in part is neither visited nor installed.
  await storeClosed('2025-02-12', { state: 'done', outcome: 'partial', finishedAt: null })
  const before = await newHome(await newPerson())
  await change(ended.home, { closedAt: at('2025-03-31T23:59:59'), lostReason: 'precio' })
  await change(before, { closedAt: at('2025-02-28T23:59:59'), lostReason: 'precio' })
  figures = (await officeFigures(db, analyst.actor, figurePeriodOf('mes', today), now))!
})

test('sums income from the ledger, with reversals and refunds', () => {
  const { before, now: march, open, trend } = figures.income!
  expect(march).toEqual({ received: 464_00, returned: -100_00, receivable: 200_00, inReview: 0 })
  expect(before).toEqual({ received: 1_040_00, returned: 0, receivable: 50_00, inReview: 0 })
  expect(open).toEqual({ receivable: 250_00, inReview: 0, overdue: 200_00 })
  expect([trend.length, trend[10], trend[11]]).toEqual([12, before, march])
  expect(trend[9]).toEqual({ received: 0, returned: 0, receivable: 0, inReview: 0 })
})

test('measures occupancy as booked hours of shift hours', () => {
  const { before, now: march, people: each, trend } = figures.occupancy
  expect(each).toEqual([
    {
      id: rosa.id,
      name: 'Rosa Ríos',
      now: { booked: 120, shift: 4 * 480 - 240 },
      before: { booked: 120, shift: 3 * 480 },
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

test('measures conversion of the projects that were visited', () => {
  const { agencies, before, now: march, sellers, trend } = figures.conversion
  expect(march).toEqual({ visited: 2, quoted: 1, accepted: 1, installed: 1 })
  expect(before).toEqual({ visited: 1, quoted: 1, accepted: 0, installed: 0 })
  expect([trend[10], trend[11]]).toEqual([before, march])
  const nothing = { visited: 0, quoted: 0, accepted: 0, installed: 0 }
  expect(agencies).toEqual([
    {
      id: ally.agencyId,
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
      id: analyst.id,
      name: expect.any(String),
      now: { sent: 2, accepted: 1 },
      before: { sent: 1, accepted: 0 },
    },
  ])
})

test('counts a stage when it ended', () => {
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

test('counts as on time until the end of the arrival window', () => {
  expect(figures.onTime.now).toEqual({ due: 2, onTime: 1 })
  expect(figures.onTime.before).toEqual({ due: 1, onTime: 1 })
  expect(figures.onTime.people).toEqual([
    { id: rosa.id, name: 'Rosa Ríos', now: { due: 2, onTime: 1 }, before: { due: 1, onTime: 1 } },
  ])
})

test('counts cancellations with their reasons, on the day that was booked', () => {
  const { before, lost, now: march, reasons } = figures.closings
  expect(march).toEqual({ all: 6, cancelled: 2, noShow: 1 })
  expect(before).toEqual({ all: 3, cancelled: 1, noShow: 0 })
  expect(reasons).toEqual([
    { reason: 'clima', now: 1, before: 1, late: 1 },
    { reason: null, now: 1, before: 0, late: 0 },
  ])
  expect(lost).toEqual([{ reason: 'precio', now: 1, before: 1, afterQuote: 1 }])
})

const wordsOf = (text: string) => readable({ text } as Answer)

/** The cards of the page, by their ids. */
function cardsIn(text: string): Record<string, string> {
  const parts = text.split(/<section id="(?=[a-z-]+")/).slice(1)
  return Object.fromEntries(
    parts.map((part) => [/^[a-z-]+/.exec(part)![0], part]).filter(([id]) => id! in figureFiles),
  )
}

const page = '/admin/cifras'
const file = (name: string) => `${page}/${name}.csv?periodo=2025`

test('the screen draws each figure on the server, with its table and its file', async () => {
  const text = await markupOf(`${page}?periodo=2025`, analyst)
  const cards = cardsIn(text)
  const words = ['Cifras del 1 ene 2025 al 31 dic 2025', 'El precio', 'Clima', 'Rosa Ríos', '$1,481.00']
  expectWords(wordsOf(text), ...words)
  expectWords(text, 'Gráfica de lo cobrado y lo que falta por cobrar', 'periodo=mes-anterior')
  expect(Object.keys(cards).toSorted()).toEqual(Object.keys(figureFiles).toSorted())
  for (const [name, card] of Object.entries(cards)) {
    // A trend, a bar for each row, or the steps.
    expect(card).toMatch(/<svg[^>]*height="(216|8)"|style="width:\d+%"/)
    expectWords(card, '<table', file(name))
    await expectAnswered(fixture.visit(file(name), analyst), 200)
  }
  const { text: csv } = await fixture.visit(file('puntualidad'), analyst)
  const row = csv.split('\r\n').find((line) => line.startsWith('Rosa'))!
  expect(row).toMatch(/^Rosa Ríos,4,3,1,75/)
  expectWords(wordsOf(cards.puntualidad!).replace(/\s+/g, ' '), row.split(',').join(' ').replace(/\s+/g, ' '))
  const { text: money } = await fixture.visit(file('ingresos-por-mes'), manager)
  expectWords(money, 'Marzo 2025,464.00,-100.00,364.00,200.00,0.00')
})

test('the shares of a period lead to the rows that they count, and the income of a month to its ledger', async () => {
  const headOf = (text: string, label: string) =>
    new RegExp(`href="([^"]*)"[^>]*><span[^>]*>${label}<`).exec(text)?.[1]?.replaceAll('&amp;', '&')
  const rows = (view: string) => `/admin/appointments-done?view=${view}&from=2025-01-01&to=2025-12-31`
  const text = await markupOf(`${page}?periodo=2025`, manager)
  expect(headOf(text, 'Ocupación')).toBe(rows('ocupacion'))
  expect(headOf(text, 'A tiempo')).toBe(rows('puntualidad'))
  expect(headOf(text, 'Ingresos')).toContain('#ingresos-por-mes')
  const month = await fixture.under({ MODULES: 'payments' }).visit(page, manager)
  expect(headOf(month.text, 'Ingresos')).toMatch(/^\/admin\/payments\/libro\?month=\d+&year=\d+$/)
})

test('the screen says that there is nothing, and takes no malformed period', async () => {
  await expectScreen(`${page}?periodo=2024`, manager, 'No se ha cobrado ni pedido nada en estos meses.')
  await expectAnswered(fixture.data(`${page}?periodo=%27`, manager), 200)
})

test('the screen shows no figure to other kinds, and no unknown file', async () => {
  for (const who of [gester, technician, ally]) await expectAnswered(fixture.data(page, who), 404)
  await expectAnswered(fixture.visit(file('otra-cosa'), manager), 404)
})

test('the screen exists without the module, linked from the home of the office and redirected to from its old address', async () => {
  const off = fixture.under({ MODULES: '' })
  await expectAnswered(off.data(page, analyst), 200)
  expectWords((await off.visit('/admin', analyst)).text, 'href="/admin/cifras"')
  expect(await markupOf('/admin', gester)).not.toContain('href="/admin/cifras"')
  const old = await fixture.data('/admin/clients?parte=cifras&periodo=2025', manager)
  expect(old.location).toBe('/admin/cifras?periodo=2025')
})

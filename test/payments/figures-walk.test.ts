import { randomUUID } from 'node:crypto'
import { services } from '../../src/appointments/rules/appointment.ts'
import type { BoardWeek } from '../../src/dispatch/board-queries.ts'
import { type MoneyFigure, moneyFigures, openFigures } from '../../src/payments/rules/receivable.ts'
import { timeOff, users } from '../../src/platform/database/schema/accounts.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { documents, payments, refunds } from '../../src/platform/database/schema/payments.ts'
import { hourCountWords } from '../../src/shared/format.ts'
import { hour, minute } from '../kit/appointments.ts'
import { dice } from '../kit/dice.ts'
import { everyModule } from '../kit/fixture.ts'
import {
  analyst,
  db,
  fixture,
  manager,
  markupOf,
  openOnce,
  pageText,
  runSql,
  setRow,
  storeRows,
  technician,
  technician2,
} from '../kit/open.ts'
import type { Home, Person } from '../kit/people.ts'
import { loaded } from '../kit/reading.ts'
import { readExcel } from '../lib/read-excel.ts'

openOnce(everyModule)

const now = new Date()
const midnight = Temporal.Instant.from(now.toISOString())
  .toZonedDateTimeISO('America/Mexico_City')
  .startOfDay().epochMilliseconds
const seeds = Array.from({ length: Number(process.env.FIGURE_WALKS ?? 5) }, (_, n) => n + 1)

let owners: { who: Person; home: Home }[]
let proofId: string

beforeAll(async () => {
  fixture.at(now)
  owners = []
  for (let n = 0; n < 3; n++) {
    const who = await fixture.person()
    owners.push({ who, home: await fixture.home(who) })
  }
  const { who } = owners[0]!
  const file = {
    purpose: 'payment_proof',
    name: 'a.pdf',
    type: 'application/pdf',
    bytes: 1,
    sha256: 'a'.repeat(64),
  } as const
  const [stored] = await storeRows(documents, { ...file, customerId: who.id, uploadedBy: who.id })
  proofId = stored!.id
  // Only managers see what a deleted customer paid and owes.
  await setRow(users, owners[2]!.who.id, { deletedAt: now })
})

type NewRow = typeof payments.$inferInsert

/** Charges, payments and a refund, many of them due about the midnight by which a charge is overdue. */
async function storeRandom(seed: number): Promise<NewRow[]> {
  const { below, oneOf } = dice(seed)
  await runSql`truncate payments, refunds cascade`
  const past = (days: number) => new Date(now.getTime() - below(days * 24) * hour - 1)
  const dues = [midnight - 1, midnight, midnight + 1, now.getTime() - 1, now.getTime() + hour].map(
    (at) => new Date(at),
  )
  const rowOf = (): NewRow => {
    const { who, home } = oneOf(owners)
    const state = oneOf(['pending', 'pending', 'in_review', 'paid', 'expired', 'cancelled'] as const)
    const base = {
      folio: `PAG-${randomUUID()}`,
      projectId: home.projectId,
      customerId: who.id,
      concept: 'extra_work',
      state,
      amount: 1 + below(900_000_00),
      createdAt: oneOf([past(2), past(400), new Date(midnight - 1)]),
    } as const
    const dueAt = oneOf([null, past(60), new Date(now.getTime() + below(90) * 24 * hour), ...dues])
    const key = { trackingKey: randomUUID(), proofId, bank: '012' }
    if (state === 'paid')
      return { ...base, dueAt, method: 'cash', paidAt: past(400), countsAt: oneOf([null, past(30)]) }
    return state === 'in_review'
      ? { ...base, dueAt, method: 'spei', proofSentAt: now, ...key }
      : { ...base, dueAt }
  }
  const rows = Array.from({ length: 36 }, rowOf)
  const { home, who } = owners[0]!
  const whose = { projectId: home.projectId, customerId: who.id }
  const [refund] = await storeRows(refunds, {
    ...whose,
    folio: `REE-${seed}`,
    amount: 50_00,
    reason: 'Pagó de más',
  })
  rows.push({
    ...whose,
    folio: `PAG-${randomUUID()}`,
    concept: 'refund',
    state: 'paid',
    method: 'spei',
    amount: -50_00,
    paidAt: past(20),
    refundId: refund!.id,
  })
  await storeRows(payments, rows)
  return rows
}

/** The rows of each figure, counted here by hand. */
const figureOf: Record<MoneyFigure, (row: NewRow) => boolean> = {
  received: ({ concept, state }) => state === 'paid' && concept !== 'refund',
  returned: ({ concept, state }) => state === 'paid' && concept === 'refund',
  net: ({ state }) => state === 'paid',
  receivable: ({ state }) => state === 'pending',
  inReview: ({ state }) => state === 'in_review',
  overdue: ({ createdAt, dueAt, state }) => state === 'pending' && +(dueAt ?? createdAt!) < midnight,
  ended: ({ state }) => state === 'expired' || state === 'cancelled',
}
const figures = Object.keys(moneyFigures) as MoneyFigure[]

const centavos = (words: string) => Math.round(Number(words.replace(/[$,]/g, '')) * 100)
const sumIn = (text: string) =>
  [...text.matchAll(/-?\$[\d,]+\.\d\d/g)].reduce((sum, [one]) => sum + centavos(one), 0)
/** The sum that a text has behind the label of a figure. */
const shownIn = (text: string, figure: MoneyFigure) =>
  centavos(new RegExp(`${moneyFigures[figure].label} (-?\\$[\\d,.]+)`).exec(text)?.[1] ?? 'none')
const tableIn = async (path: string, who: Person) => {
  const text = await markupOf(path, who)
  return text.slice(text.indexOf('<table'), text.indexOf('</table>')).replace(/<[^>]+>/g, ' ')
}

/** The sum of a column of a file, the same as CSV and for Excel. */
async function sumOfFile(path: string, who: Person, column = 'Cantidad'): Promise<number> {
  const [head, ...lines] = (await markupOf(path, who))
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  const at = head!.indexOf(column)
  const sum = lines.reduce((all, line) => all + centavos(line[at]!), 0)
  const rows = await readExcel(
    await fixture.open(`${path}${path.includes('?') ? '&' : '?'}formato=excel`, who),
  )
  expect(rows[0]).toEqual(head)
  expect(rows.slice(1).reduce((all, row) => all + Math.round(Number(row[at]) * 100), 0)).toBe(sum)
  return sum
}

const list = '/admin/payments/cobrar'
const ledger = '/admin/payments/libro'

test.each(seeds)('every screen and file shows the same sums of money, from fixture %i', async (seed) => {
  const rows = await storeRandom(seed)
  for (const who of [manager, analyst]) {
    const seen = rows.filter(({ customerId }) => who === manager || customerId !== owners[2]!.who.id)
    const own = (figure: MoneyFigure) => seen.filter(figureOf[figure])
    const sum = (figure: MoneyFigure) => own(figure).reduce((all, { amount }) => all + amount, 0)
    for (const path of ['/admin/payments', list, ledger, '/admin/cifras']) {
      const text = await pageText(path, who)
      for (const figure of openFigures)
        expect([path, figure, shownIn(text, figure)]).toEqual([path, figure, sum(figure)])
    }
    expect(await pageText('/admin/payments', who)).toContain(
      own('inReview').length === 0 ? 'No hay comprobantes' : `${own('inReview').length} comprobante`,
    )
    for (const [query, figure] of [
      ['', 'receivable'],
      ['?age=overdue', 'overdue'],
    ] as const) {
      expect(sumIn(await tableIn(list + query, who))).toBe(sum(figure))
      expect(await sumOfFile(`${list}.csv${query}`, who)).toBe(sum(figure))
    }
    for (const [todo, label, figure] of [
      ['overdue', 'Cobro vencido', 'overdue'],
      ['proof', 'Comprobante', 'inReview'],
    ] as const) {
      const lines = (await pageText(`/admin?todo=${todo}`, who)).matchAll(
        new RegExp(`Persona Prueba ${label} (\\$[\\d,.]+)`, 'g'),
      )
      expect([...lines].reduce((all, [, words]) => all + centavos(words!), 0)).toBe(sum(figure))
    }
    const whole = (await pageText(ledger, who)).split('En total')[1]!
    for (const figure of figures) {
      expect([figure, shownIn(whole, figure)]).toEqual([figure, sum(figure)])
      expect(sumIn(await tableIn(`${ledger}?figure=${figure}`, who))).toBe(sum(figure))
      expect(await sumOfFile(`/admin/payments.csv?figure=${figure}`, who)).toBe(sum(figure))
    }
    await expectMonths(who)
  }
})

/** Expects the months of the office's figures to be those of the ledger. */
async function expectMonths(who: Person) {
  const text = await markupOf('/admin/cifras', who)
  const table = text.slice(text.indexOf('Tabla de ingresos por mes'))
  const months = [...table.slice(0, table.indexOf('</table>')).matchAll(/<tr[^>]*><td.*?<\/tr>/gs)].map(
    ([row]) => row,
  )
  expect(months).toHaveLength(12)
  for (const month of [months[0]!, months[7]!]) {
    const to = /href="([^"]*)"/.exec(month)![1]!.replaceAll('&amp;', '&')
    const sums = (await pageText(to, who)).split('En total')[1] ?? ''
    const cells = [...month.matchAll(/<td[^>]*>(-?\$[\d,.]+)/g)].map(([, words]) => centavos(words!))
    const shown = (['received', 'returned', 'net', 'receivable', 'inReview'] as const).map(
      (name) => shownIn(sums, name) || 0,
    )
    expect(cells).toEqual(shown)
  }
}

/** Every 37 hours of the autumn of 2022, with the end of daylight saving time, holidays and midnights within some. */
async function storeVisits(seed: number) {
  const { below, oneOf } = dice(seed)
  await db.delete(appointments)
  await db.delete(timeOff)
  const staff = [technician.id, technician2.id, analyst.id]
  const rows = Array.from({ length: 58 }, (_, n): typeof appointments.$inferInsert => {
    const isOpen = n < 9
    const state = isOpen
      ? oneOf(['requested', 'assigned', 'en_route', 'in_progress'] as const)
      : oneOf(['done', 'done', 'cancelled', 'no_show'] as const)
    const { who, home } = owners[n % 3]!
    const startsAt = new Date(Date.parse('2022-10-02T12:00Z') + (37 * n + below(12)) * hour)
    const began =
      isOpen && state !== 'in_progress'
        ? [null]
        : [null, startsAt, ...[30, 31].map((late) => new Date(+startsAt + late * minute))]
    return {
      folio: `VT-${seed}-${n}`,
      service: services[isOpen ? Math.floor(n / 3) : below(3)]!,
      state,
      customerId: who.id,
      projectId: home.projectId,
      requestKey: randomUUID(),
      requestDigest: '',
      minutes: oneOf([30, 90, 720]),
      assigneeId: oneOf(state === 'requested' ? [null, ...staff] : staff),
      startsAt,
      startedAt: oneOf(began),
    }
  })
  await storeRows(appointments, rows)
  await storeRows(timeOff, {
    personId: staff[below(3)]!,
    during: '[2022-11-29T17:00Z,2022-11-30T21:30Z)',
    approvedAt: now,
    approvedBy: manager.id,
  })
}

/** The cells of a table of the office's figures: their words and links. */
function cellsIn(text: string, name: string) {
  const table = text.split(`Tabla de ${name}"`)[1]!.split('</table>')[0]!
  return table
    .split('<tr')
    .slice(2)
    .map((row) =>
      row
        .split(/<t[dh]/)
        .slice(1)
        .map((cell) => ({
          words: `<${cell}`.replace(/<[^>]+>/g, '').replaceAll('\u00a0', ' '),
          to: /href="([^"]*)"/.exec(cell)?.[1]?.replaceAll('&amp;', '&'),
        })),
    )
}

const hoursOf = (minutes: number) => hourCountWords(minutes).replace('\u00a0', ' ')

/** Expects a figure to be that of the rows behind its link, on the screen and in the file. */
async function expectRows(who: Person, to: string, words: string) {
  const [, ...lines] = (await markupOf(to.replace('?', '.csv?'), who)).trimEnd().split('\r\n')
  const minutes = lines.reduce((sum, line) => sum + Number(line.split(',')[5]), 0)
  const isHours = to.includes('ocupacion')
  expect([to, words]).toEqual([to, isHours ? hoursOf(minutes) : String(lines.length)])
  const shown = `${lines.length} ${lines.length === 1 ? 'cita' : 'citas'}`
  expect(await pageText(to, who)).toContain(isHours ? `${shown} · ${hoursOf(minutes)}` : shown)
}

test.each(seeds)(
  'punctuality and occupancy are those of their rows everywhere, from fixture %i',
  async (seed) => {
    await storeVisits(seed)
    for (const who of [manager, analyst]) {
      const text = await markupOf('/admin/cifras?periodo=2022', who)
      const weeks = cellsIn(text, 'ocupación por semana')
      for (const [name, table, column, at] of [
        ['puntualidad por mes', 'puntualidad-por-mes', 'Tarde', 3],
        ['puntualidad por técnico', 'puntualidad', 'Tarde', 3],
        ['ocupación por persona', 'ocupacion-por-persona', 'Reservadas', 1],
      ] as const) {
        const rows = cellsIn(text, name)
        for (const { to, words } of [...rows, ...weeks.slice(0, 2)].flat())
          if (to) await expectRows(who, to, words)
        const total = name.endsWith('mes') ? rows : rows.slice(-1)
        const sum = total.reduce((all, row) => all + Number.parseFloat(row[at]!.words.replace(',', '')), 0)
        expect(await sumOfFile(`/admin/cifras/${table}.csv?periodo=2022`, who, column)).toBe(100 * sum)
      }
      for (const [month, name, days] of [
        [10, 'oct', [24, 31]],
        [11, 'nov', [21, 28]],
      ] as const)
        for (const day of days) await expectBoard(weeks, `2022-${month}-${day}`, `${day} ${name} 2022`)
    }
  },
)

/** Expects the board of a week to have the hours of the office's figures. */
async function expectBoard(weeks: ReturnType<typeof cellsIn>, monday: string, label: string) {
  const data = await fixture.data(`/admin/assignations?vista=semana&dia=${monday}`, manager)
  const cells = loaded<{ week: BoardWeek }>(data, 'dispatch/screens/assignations').week.rows.flatMap(
    ({ days, id }) => (id ? days : []),
  )
  const sum = (of: 'used' | 'total') => cells.reduce((all, cell) => all + cell[of], 0)
  const shown = weeks.find(([first]) => first!.words === label)!.slice(1, 3)
  expect([label, ...shown.map(({ words }) => words)]).toEqual([
    label,
    hoursOf(sum('used')),
    hoursOf(sum('total')),
  ])
}

import { and, eq } from 'drizzle-orm'
import type { DayLoad } from '../../src/appointments/list-filter.ts'
import { activeStates, doneStates, services } from '../../src/appointments/rules/appointment.ts'
import { appointmentWork, type WorkKind } from '../../src/customers/rules/work.ts'
import { timeOff } from '../../src/platform/database/schema/accounts.ts'
import { clients } from '../../src/platform/database/schema/agencies.ts'
import { appointments } from '../../src/platform/database/schema/appointments.ts'
import { documents, payments, refunds } from '../../src/platform/database/schema/payments.ts'
import { tasks } from '../../src/platform/database/schema/projects.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../../src/shared/calendar.ts'
import type { Count } from '../../src/shared/count.ts'
import { around, hour, minute, storeVisit } from '../kit/appointments.ts'
import { everyModule } from '../kit/fixture.ts'
import {
  ally,
  analyst,
  db,
  fixture,
  gester,
  manager,
  openOnce,
  pageText,
  people,
  storeRows,
  technician,
  technician2,
} from '../kit/open.ts'
import { expectWords, loaded, readable } from '../kit/reading.ts'
import { writeSheet } from '../kit/reports.ts'

openOnce()
/** Tomorrow past noon: what technicians see is limited by the database's own clock. */
const tomorrow = addDays(localDate(toMinutes(new Date())), 1)
const noon = toDate(minuteAt(tomorrow, '12:10'))
const fromNoon = (hours: number) => around({ startsAt: noon }, hours * hour)
beforeAll(async () => {
  await plantVisits()
  await plantProofs()
  await plantRefunds()
  await plantWork()
}, 120_000)

const states = [...activeStates, ...doneStates]

async function atHome(agencyId?: string) {
  const customer = await fixture.person()
  return { customer, home: await fixture.home(customer, {}, agencyId) }
}

/** Hours and days around now, three at a time; each state and service many times, with and without a person. */
async function plantVisits() {
  const hours = [...Array(24).keys()]
    .map((at) => at - 12)
    .concat([-30, -54, -200, 25, 30, 49, 75, 150, 190, 300])
  for (const [n, at] of hours.flatMap((some) => [some, some, some]).entries()) {
    const { customer, home } = await atHome(n % 3 ? undefined : ally.agencyId!)
    const state = states[n % states.length]!
    const service = services[(n + Math.floor(n / 3)) % 3]!
    const isRequested = state === 'requested'
    await storeVisit(fixture, customer, home, around({ startsAt: fromNoon(at) }, (n % 3) * 20 * minute), {
      state,
      service,
      minutes: 5,
      assigneeId: isRequested && Math.floor(n / 8) % 2 ? null : [technician, technician2, analyst][n % 3]!.id,
      confirmedAt: isRequested ? null : noon,
    })
  }
  const onSite = and(eq(appointments.state, 'done'), eq(appointments.service, 'technical_visit'))
  const [reported, approved] = await db.select().from(appointments).where(onSite)
  await writeSheet(fixture, { ...reported!, state: 'submitted' })
  await writeSheet(fixture, { ...approved!, state: 'approved' })
}

/** Proofs of transfers, two of them to be reviewed. */
async function plantProofs() {
  for (const [n, state] of (['in_review', 'pending', 'in_review'] as const).entries()) {
    const { customer, home } = await atHome()
    const of = { customerId: customer.id, projectId: home.projectId }
    const [proof] = await storeRows(documents, {
      ...of,
      type: 'application/pdf',
      name: 'comprobante.pdf',
      sha256: 'c'.repeat(64),
      bytes: 9,
      purpose: 'payment_proof',
      uploadedBy: customer.id,
    })
    await storeRows(payments, {
      ...of,
      folio: `PAG-${n}`,
      concept: 'deposit',
      state,
      method: 'spei',
      amount: 100,
      proofId: proof!.id,
      trackingKey: `CLAVE${n}`,
      bank: '012',
      proofSentAt: noon,
    })
  }
}

/** Refunds in each state, two of them to be decided or paid by hand. */
async function plantRefunds() {
  const decided = { decidedAt: noon, decidedBy: manager.id }
  for (const [n, refund] of [
    { state: 'requested' as const },
    { state: 'approved' as const, method: 'spei' as const, ...decided },
    { state: 'approved' as const, method: 'card' as const, ...decided },
    { state: 'refused' as const, refusedReason: 'Ya se devolvió.', ...decided },
  ].entries()) {
    const { customer, home } = await atHome()
    const of = { projectId: home.projectId, customerId: customer.id }
    await storeRows(refunds, { ...of, folio: `REE-${n}`, amount: 100_00, reason: 'Sobra', ...refund })
  }
}

async function plantWork() {
  await storeRows(clients, { agencyId: ally.agencyId!, source: 'counter', name: 'Ana' })
  await storeRows(tasks, [
    { subject: 'Llamar', reason: 'coverage', dueAt: fromNoon(-5) },
    { subject: 'Nadie llegó', reason: 'nobody_came', urgent: true },
    { subject: 'Ya atendido', reason: 'coverage', doneAt: noon },
  ])
  const midnight = (days: number) => toDate(minuteAt(addDays(tomorrow, days), '00:00')).toISOString()
  const during = `[${midnight(48)},${midnight(49)})`
  await storeRows(timeOff, [
    { personId: technician.id, during },
    { personId: analyst.id, during, approvedAt: noon },
  ])
}

type Group = {
  kind: WorkKind
  count: Count
  all: string | null
  lines: { id: string; at: Date; title: string }[]
}
type Home = {
  figures: { label: string; to: string; total: number; isMore: boolean }[]
  days: DayLoad[] | null
  work: { groups: Group[]; summary: string } | null
}
type Who = 'manager' | 'analyst' | 'technician' | 'gester' | 'ally'
const homeOf = async (who: Who, query = '') =>
  loaded<Home>(await fixture.data(`/admin${query}`, people[who]), 'customers/screens/staff')

type List = { rows: []; total: number; next: string | null }
/** What the screen that a figure leads to holds. */
async function behind(to: string, who: Who): Promise<number> {
  const answer = await fixture.data(to, people[who])
  expect([to, answer.status]).toEqual([to, 200])
  if (to.startsWith('/admin/cotizations'))
    return loaded<{ office: { toQuote: List } }>(answer, 'quotes/screens/list').office.toQuote.total
  const { rows, total, next } =
    to === '/admin/alliate/clients'
      ? loaded<List>(answer, 'agencies/screens/clients')
      : to.startsWith('/admin/appointments-done')
        ? loaded<List>(answer, 'appointments/screens/done')
        : loaded<{ list: List }>(answer, 'appointments/screens/pending').list
  if (next === null) expect(rows).toHaveLength(total)
  return total
}

const figures: Record<Who, string[]> = {
  manager: ['Próximas citas', 'Hoy', 'En camino o en curso'],
  analyst: ['Tus llamadas de hoy', 'Llamadas de hoy', 'Próximas citas', 'Citas realizadas'],
  technician: ['Hoy', 'Esta semana', 'Citas realizadas'],
  gester: [],
  ally: ['Clientes', 'Esta semana', 'Próximas citas', 'Citas realizadas'],
}
const work: Partial<Record<Who, string>> = {
  manager:
    'urgent late nobody_today nobody_soon task to_confirm left_open proof report to_quote no_report refund overdue time_off',
  analyst: 'urgent late task left_open proof report to_quote no_report overdue',
}
const sizes: Partial<Record<WorkKind, number>> = {
  urgent: 1,
  proof: 2,
  task: 1,
  refund: 2,
  overdue: 1,
  time_off: 1,
}

describe.each(Object.keys(figures) as Who[])('the home of the %s', (who) => {
  test('has figures of what their links show', async () => {
    fixture.at(noon)
    const home = await homeOf(who)
    expect(home.figures.map(({ label }) => label)).toEqual(figures[who])
    for (const { label, to, total, isMore } of home.figures) {
      expect([label, total, isMore]).toEqual([label, await behind(to, who), false])
      expect([label, total]).not.toEqual([label, 0])
    }
    if (who !== 'manager') expect(home.days).toBeNull()
  })

  test('counts of each kind of work what the link of the count lists', async () => {
    fixture.at(noon)
    const { groups = [], summary } = (await homeOf(who)).work ?? {}
    expect(groups.map(({ kind }) => kind).join(' ')).toEqual(work[who] ?? '')
    const rows = await db.select().from(appointments).orderBy(appointments.startsAt, appointments.id)
    const own = rows.filter(
      ({ assigneeId, confirmedAt }) => who === 'manager' || (confirmedAt && assigneeId === people[who].id),
    )
    for (const { all, count, kind } of groups) {
      const whole = (await homeOf(who, `?todo=${kind}`)).work!.groups
      const lines = whole.flatMap((group) => group.lines)
      const asking = own.filter((row) => appointmentWork({ ...row, offered: false }, noon) === kind)
      const size = asking.length || (sizes[kind] ?? (await behind(all!, who)))
      expect([kind, count]).toEqual([kind, { total: size, isMore: false }])
      expect(lines).toHaveLength(size)
      if (asking.length > 0) expect(lines.map(({ id }) => id)).toEqual(asking.map(({ id }) => id))
    }
    const total = groups.reduce((sum, { count }) => sum + count.total, 0)
    if (summary) expect(summary).toBe(`Tienes ${total} cosas por resolver.`)
  })
})

test('the manager’s days ahead hold what the list of each day holds', async () => {
  fixture.at(noon)
  const { days } = await homeOf('manager')
  expect(days).toHaveLength(14)
  for (const { date, total, services: held } of days!) {
    const list = `/admin/appointments-pending?day=${date}`
    expect([date, total]).toEqual([date, await behind(list, 'manager')])
    for (const service of services)
      expect([date, service, held[service] ?? 0]).toEqual([
        date,
        service,
        await behind(`${list}&service=${service}`, 'manager'),
      ])
  }
})

test('with all modules proofs are reviewed among the payments and a gester has cases; without them, other links', async () => {
  const on = fixture.under(everyModule)
  expect((await on.visit('/admin', analyst)).text).toContain('href="/admin/payments?comprobante=PAG-0"')
  const without = await pageText('/admin', gester)
  expectWords(without, 'Tu trabajo, por ahora', 'Citas realizadas', 'Cotizaciones')
  expect(without).not.toContain('Lo que sigue')
  expect(readable(await on.visit('/admin', gester))).not.toContain('Tu trabajo, por ahora')
})

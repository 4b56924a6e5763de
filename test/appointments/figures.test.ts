import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { activeStates, doneStates, services } from '../../src/domain/appointments/appointment.ts'
import { appointmentWork, type WorkKind } from '../../src/domain/projects/work.ts'
import { addDays, localDate, minuteAt, toDate, toMinutes } from '../../src/domain/shared/calendar.ts'
import type { Count } from '../../src/domain/shared/count.ts'
import type { DayLoad } from '../../src/server/appointments/list-filter.ts'
import { timeOff } from '../../src/server/platform/database/schema/accounts.ts'
import { clients } from '../../src/server/platform/database/schema/agencies.ts'
import { appointments } from '../../src/server/platform/database/schema/appointments.ts'
import { documents, payments, refunds } from '../../src/server/platform/database/schema/payments.ts'
import { tasks } from '../../src/server/platform/database/schema/projects.ts'
import { hour, storeVisit } from '../kit/appointments.ts'
import { openOnce, people, world } from '../kit/open.ts'
import { loaded, readable } from '../kit/reading.ts'
import { writeSheet } from '../kit/reports.ts'
import { everyModule } from '../kit/world.ts'

openOnce()
/** Past noon of a day of the coming week: what technicians see is counted from the database's own clock. */
const tomorrow = addDays(localDate(toMinutes(new Date())), 1)
const noon = toDate(minuteAt(tomorrow, '12:10'))
beforeAll(async () => {
  await plant()
}, 120_000)

const onSite = and(eq(appointments.state, 'done'), eq(appointments.service, 'technical_visit'))
const states = [...activeStates, ...doneStates]

/** Days behind and ahead, today every hour; each state and service many times, with and without a person. */
async function plant() {
  const { technician, technician2, analyst, ally } = people
  const hours = [...Array(24).keys()]
    .map((at) => at - 12)
    .concat([-30, -54, -200, 25, 30, 49, 75, 150, 190, 300])
  for (const [n, at] of hours.flatMap((some) => [some, some, some]).entries()) {
    const customer = await world.person()
    const home = await world.home(customer, {}, n % 3 ? undefined : (ally.agencyId ?? undefined))
    const [state, service] = [states[n % states.length]!, services[(n + Math.floor(n / 3)) % 3]!]
    const assignee = [technician, technician2, analyst][n % 3]!
    const start = new Date(noon.getTime() + at * hour + (n % 3) * 20 * 60_000)
    const isAsked = state === 'requested'
    await storeVisit(world, customer, home, start, {
      state,
      service,
      minutes: 5,
      assigneeId: isAsked && Math.floor(n / 8) % 2 ? null : assignee.id,
      confirmedAt: isAsked ? null : noon,
    })
  }
  await world.db.insert(clients).values({ agencyId: ally.agencyId!, source: 'counter', name: 'Ana' })
  const [reported, approved] = await world.db.select().from(appointments).where(onSite)
  await writeSheet(world, { ...reported!, state: 'submitted' })
  await writeSheet(world, { ...approved!, state: 'approved' })
  await plantMoney()
  await world.db.insert(tasks).values([
    { subject: 'Llamar', reason: 'coverage', dueAt: new Date(noon.getTime() - 5 * hour) },
    { subject: 'Nadie llegó', reason: 'nobody_came', urgent: true },
    { subject: 'Ya atendido', reason: 'coverage', doneAt: noon },
  ])
  const free = (days: number) => toDate(minuteAt(addDays(tomorrow, days), '00:00')).toISOString()
  const during = `[${free(48)},${free(49)})`
  await world.db.insert(timeOff).values([
    { personId: technician.id, during },
    { personId: analyst.id, during, approvedAt: noon },
  ])
}

/** A proof of a transfer that nobody looked at yet, and refunds in each state that waits for somebody. */
async function plantMoney() {
  for (const [n, state] of (['in_review', 'pending', 'in_review'] as const).entries()) {
    const customer = await world.person()
    const [customerId, { projectId }] = [customer.id, await world.home(customer)]
    const paper = {
      type: 'application/pdf' as const,
      name: 'comprobante.pdf',
      sha256: 'c'.repeat(64),
      bytes: 9,
    }
    const [proof] = await world.db
      .insert(documents)
      .values({ ...paper, customerId, projectId, purpose: 'payment_proof', uploadedBy: customerId })
      .returning()
    await world.db.insert(payments).values({
      folio: `PAG-${n}`,
      projectId,
      customerId,
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
  const decided = { decidedAt: noon, decidedBy: people.manager.id }
  for (const [n, more] of [
    { state: 'requested' as const },
    { state: 'approved' as const, method: 'spei' as const, ...decided },
    { state: 'approved' as const, method: 'card' as const, ...decided },
    { state: 'refused' as const, refusedReason: 'Ya se devolvió.', ...decided },
  ].entries()) {
    const customer = await world.person()
    const { projectId } = await world.home(customer)
    const about = { projectId, customerId: customer.id, folio: `REE-${n}`, amount: 100_00, reason: 'Sobra' }
    await world.db.insert(refunds).values({ ...about, ...more })
  }
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
const homeOf = async (who: Who) => loaded<Home>(await world.data('/admin', people[who]), 'projects/staff')

/** What the screen that a figure leads to holds. */
async function behind(to: string, who: Who): Promise<number> {
  const answer = await world.data(to.split('#')[0]!, people[who])
  expect([to, answer.status]).toEqual([to, 200])
  if (to.endsWith('#por-cotizar'))
    return loaded<{ priced: { toQuote: { rows: [] } } }>(answer, 'quotes/list').priced.toQuote.rows.length
  if (to === '/admin/alliate/clients') return listOf(loaded<List>(answer, 'agencies/clients'))
  if (to.startsWith('/admin/appointments-done')) return listOf(loaded(answer, 'appointments/done'))
  return listOf(loaded<{ list: List }>(answer, 'appointments/pending').list)
}

type List = { rows: []; total: number; next: string | null }
function listOf({ rows, total, next }: List): number {
  if (next === null) expect(rows).toHaveLength(total)
  return total
}

describe('every figure is what its link shows', () => {
  const expected: Record<Who, string[]> = {
    manager: ['Próximas citas', 'Hoy', 'En camino o en curso'],
    analyst: ['Tus llamadas de hoy', 'Llamadas de hoy', 'Próximas citas', 'Citas realizadas'],
    technician: ['Hoy', 'Esta semana', 'Citas realizadas'],
    gester: [],
    ally: ['Clientes', 'Esta semana', 'Próximas citas', 'Citas realizadas'],
  }
  test.each(Object.keys(expected) as Who[])('%s', async (who) => {
    world.at(noon)
    const { figures } = await homeOf(who)
    expect(figures.map(({ label }) => label)).toEqual(expected[who])
    for (const { label, to, total, isMore } of figures) {
      expect([label, total, isMore]).toEqual([label, await behind(to, who), false])
      expect([label, total]).not.toEqual([label, 0])
    }
  })

  const work: Partial<Record<Who, WorkKind[]>> = {
    manager: [
      'late',
      'nobody_today',
      'urgent',
      'nobody_soon',
      'left_open',
      'proof',
      'report',
      'to_quote',
      'to_confirm',
      'task',
      'refund',
      'overdue',
      'time_off',
    ],
    analyst: ['late', 'urgent', 'left_open', 'proof', 'report', 'to_quote', 'task', 'overdue'],
  }
  const sizes: Partial<Record<WorkKind, number>> = {
    urgent: 1,
    proof: 2,
    task: 1,
    refund: 2,
    overdue: 1,
    time_off: 1,
  }
  test.each(Object.keys(expected) as Who[])('so is each kind of work of %s', async (who) => {
    world.at(noon)
    const { groups = [], summary } = (await homeOf(who)).work ?? {}
    expect(groups.map(({ kind }) => kind)).toEqual(work[who] ?? [])
    const rows = await world.db.select().from(appointments).orderBy(appointments.startsAt, appointments.id)
    const own = rows.filter(({ assigneeId, confirmedAt }) => {
      return who === 'manager' || (confirmedAt && assigneeId === people[who].id)
    })
    for (const { all, count, kind, lines } of groups) {
      const asking = own.filter((row) => appointmentWork({ ...row, offered: false }, noon) === kind)
      const size = asking.length || (sizes[kind] ?? (await behind(all!, who)))
      expect([kind, count]).toEqual([kind, { total: size, isMore: false }])
      if (asking.length > 0)
        expect(lines.map(({ id }) => id)).toEqual(asking.slice(0, lines.length).map(({ id }) => id))
      else expect(lines).toHaveLength(size)
    }
    const total = groups.reduce((sum, { count }) => sum + count.total, 0)
    if (summary) expect(summary).toBe(`Tienes ${total} cosas por resolver.`)
  })

  test('each day ahead is the list of its day', async () => {
    world.at(noon)
    const { days } = await homeOf('manager')
    expect(days).toHaveLength(14)
    for (const { date, total, services: held } of days!) {
      expect([date, total]).toEqual([
        date,
        await behind(`/admin/appointments-pending?day=${date}`, 'manager'),
      ])
      for (const service of services) {
        const address = `/admin/appointments-pending?day=${date}&service=${service}`
        expect([date, service, held[service] ?? 0]).toEqual([date, service, await behind(address, 'manager')])
      }
    }
    for (const who of ['analyst', 'technician', 'gester', 'ally'] as const)
      expect((await homeOf(who)).days).toBeNull()
  })
})

test('what is urgent comes first, with the way to its appointment', async () => {
  const customer = await world.person()
  const visit = await storeVisit(
    world,
    customer,
    await world.home(customer),
    new Date(noon.getTime() + 400 * hour),
    {
      assigneeId: people.technician.id,
    },
  )
  await world.db.insert(tasks).values({
    subject: 'Sin técnico',
    reason: 'late_cancel',
    urgent: true,
    appointmentId: visit.id,
    dueAt: noon,
  })
  const titles = (await homeOf('manager')).work!.groups.flatMap(({ lines }) =>
    lines.map(({ title }) => title),
  )
  expect(titles.indexOf('Sin técnico')).toBeLessThan(titles.indexOf('Llamar'))
  expect(titles).toContain('Sin técnico')
  const page = await world.visit('/admin', people.manager)
  expect(readable(page)).toContain('Urgente')
  expect(page.text).toContain(`href="/admin/appointments-pending/${visit.id}"`)
})

test('who carries something out reads what comes next', async () => {
  world.at(noon)
  for (const who of ['technician', 'analyst'] as const) {
    const page = await world.visit('/admin', people[who])
    expect(readable(page)).toMatch(/(Lo que sigue|Tu próxima llamada)/)
    const [, id] = /href="\/admin\/appointments-pending\/([0-9a-f-]{36})"/.exec(page.text) ?? []
    expect((await world.visit(`/admin/appointments-pending/${id}`, people[who])).status).toBe(200)
  }
  expect(readable(await world.visit('/admin', people.gester))).not.toContain('Lo que sigue')
})

test('with payments switched on, what was proved is reviewed there; without cases a gester reads where their work is', async () => {
  const { analyst, gester, ally } = people
  const on = world.under(everyModule)
  expect((await on.visit('/admin', analyst)).text).toContain('href="/admin/payments#comprobante-PAG-0"')
  const own = readable(await world.visit('/admin', gester))
  for (const words of ['Tu trabajo, por ahora', 'Citas realizadas', 'Cotizaciones'])
    expect(own).toContain(words)
  expect(readable(await on.visit('/admin', gester))).not.toContain('Tu trabajo, por ahora')
  const list = await world.visit('/admin/appointments-pending', ally)
  expect(list.text).not.toContain('Zona')
  expect(list.text).not.toContain('Folio')
})

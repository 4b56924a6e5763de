import { agencyActivity, conversionCounts } from '../../src/agencies/agency-queries.ts'
import { commissionMonth, commissionMonths } from '../../src/agencies/commission-queries.ts'
import { clientStageLabels, clientStages } from '../../src/agencies/rules/clients.ts'
import { agencyPath } from '../../src/agencies/screens/agency-paths.ts'
import type { AgencySummaryProps as Summary } from '../../src/agencies/screens/agency-summary.tsx'
import { listClients } from '../../src/customers/clients.ts'
import { clients } from '../../src/platform/database/schema/agencies.ts'
import { events } from '../../src/platform/database/schema/projects.ts'
import { agree, earn, joined, sell } from '../kit/agencies.ts'
import { db, expectScreen, fixture, markupOf, openBare, type People, storeRows } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { loaded } from '../kit/reading.ts'

openBare()
let people: People
let agencyId: string
const now = new Date('2026-11-22T12:00:00-06:00')
const noon = (day: string) => new Date(`${day}T12:00:00-06:00`)

/** Two sales in October and one in February, one client without an installation, two invited, two invitations that ended. */
beforeAll(async () => {
  fixture.at(now)
  people = await fixture.people()
  agencyId = people.ally.agencyId!
  await agree(agencyId, { commissionKind: 'amount', commissionValue: 1_500_00 })
  for (const day of ['2026-10-31T23:30', '2026-10-02T10:00', '2026-02-10T10:00']) {
    const { customer } = await earn({ isPaid: false, agencyId, finishedAt: new Date(`${day}:00-06:00`) })
    await joined(customer, people.ally, { createdAt: noon('2026-01-15') })
  }
  await joined(people.customer, people.ally, { createdAt: noon('2026-03-01') })
  const invited = { agencyId, allyId: people.ally.id, source: 'counter' as const, name: 'Inés' }
  const ended = { ...invited, endedAt: now, name: null, createdAt: noon('2026-04-01') }
  await storeRows(clients, [
    { ...invited, createdAt: noon('2026-11-01') },
    { ...ended, endedReason: 'expired' },
    { ...ended, endedReason: 'withdrawn' },
    { ...invited, createdAt: noon('2025-04-01') },
  ])
})

async function summary(person: Person, query = '') {
  const answer = await fixture.data(agencyPath(agencyId, 'resumen') + query, person)
  return loaded<{ summary: Summary }>(answer, 'agencies/screens/agency-summary').summary.figures
}
const listed = async (person: Person) =>
  loaded<{ rows: unknown[] }>(await fixture.data('/admin/agencies', person), 'agencies/screens/agencies').rows
const csv = async (file: string, person: Person) => {
  return (await markupOf(`/admin/agency/${agencyId}/${file}.csv`, person))
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
}

test('counts as many clients of each stage as their list shows, in the file and in the list of agencies too', async () => {
  const { stages } = await summary(people.manager)
  for (const stage of clientStages) {
    const { total } = await listClients(db, people.manager.actor, agencyId, { stage }, now)
    expect([stage, stages[stage]]).toEqual([stage, total])
  }
  expect(stages).toMatchObject({ invited: 2, closed: 3 })
  expect(await csv('clientes-por-etapa', people.manager)).toEqual([
    ['Etapa', 'Clientes'],
    ...clientStages.map((stage) => [clientStageLabels[stage], String(stages[stage])]),
  ])
  const all = Object.values(stages).reduce((a, b) => a + b, 0)
  expect(await listed(people.ally)).toMatchObject([{ clients: all, installations: 3 }])
  await expectScreen('/admin', people.ally, 'Tus clientes por etapa')
})

test('counts installations in the local month in which they were finished', async () => {
  const { installations } = await summary(people.analyst)
  expect(installations.filter(({ count }) => count > 0)).toEqual([
    { month: '2026-02', count: 1 },
    { month: '2026-10', count: 2 },
  ])
  const file = await csv('instalaciones-por-mes', people.analyst)
  expect(file.slice(1).map(([, count]) => Number(count))).toEqual(installations.map(({ count }) => count))
  expect((await summary(people.analyst, '?periodo=2025')).compared.installations.now).toBe(0)
})

test('adds up commissions by month for managers and the agency’s allies', async () => {
  for (const person of [people.manager, people.ally]) {
    const { earnings } = await summary(person)
    const some = earnings?.months.filter(({ total }) => total !== 0)
    expect(some?.map(({ month, total }) => [month, total])).toEqual([
      ['2026-02', 1_500_00],
      ['2026-10', 3_000_00],
    ])
    expect(earnings?.sums).toEqual((await commissionMonths(db, person.actor, agencyId)).sums)
    expect((await commissionMonth(db, person.actor, agencyId, '2026-10')).total).toBe(3_000_00)
    const file = await csv('comisiones-por-mes', person)
    expect(file.at(-2)).toEqual(['Octubre 2026', '3000.00', '0.00', '0.00', '3000.00'])
  }
})

test('counts for the conversion everybody brought in the period, and how far they came', async () => {
  const { conversion } = await summary(people.manager)
  expect(conversion.map(({ count }) => count)).toEqual([6, 4, 3, 3])
  expect(await conversionCounts(db, people.manager.actor, agencyId, ['2025-03', '2025-04'])).toEqual({
    brought: 1,
    joined: 0,
    accepted: 0,
    installed: 0,
  })
})

test('shows an analyst no amounts, and technicians and gesters no figures', async () => {
  expect((await summary(people.analyst)).earnings).toBeNull()
  const path = agencyPath(agencyId, 'resumen')
  for (const { text } of [
    await fixture.visit(path, people.analyst),
    await fixture.data(path, people.analyst),
  ])
    expect(text).not.toMatch(/1,500\.00|150000|Comisión por mes/)
  for (const person of [people.technician, people.gester]) {
    expect(await markupOf(path, person)).not.toMatch(
      /Clientes por etapa|Instalaciones por mes|Traídos|Actividad/,
    )
    expect((await listed(person))[0]).toMatchObject({ clients: null, installations: null })
  }
})

test('shows an ally the activity of clients by first name, and of commissions none', async () => {
  const { customer } = await sell({ agencyId })
  const entityId = await joined(customer, people.ally)
  await storeRows(events, { entity: 'client', entityId, name: 'stage', toState: 'closed' })
  const seenBy = ({ actor }: Person) => agencyActivity(db, actor, agencyId)
  const own = await seenBy(people.ally)
  expect(own[0]).toMatchObject({ about: 'client', name: 'stage', subject: 'Camila' })
  expect(own.map(({ about }) => about)).not.toContain('commission')
  expect((await seenBy(people.manager)).map(({ about }) => about)).toContain('commission')
  await expect(seenBy(people.technician)).rejects.toThrow()
})

import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AgencySection } from '../../src/domain/agencies/agency.ts'
import { clientStageLabels, clientStages } from '../../src/domain/agencies/clients.ts'
import { agencyActivity, conversionCounts } from '../../src/server/agencies/agency-queries.ts'
import { listClients } from '../../src/server/agencies/clients.ts'
import { commissionMonths } from '../../src/server/agencies/commission-queries.ts'
import { clients } from '../../src/server/platform/database/schema/agencies.ts'
import { agencyPath } from '../../src/web/agencies/agency-paths.ts'
import type { AgencySummaryProps as Summary } from '../../src/web/agencies/agency-summary.tsx'
import { agree, earn, joined, sell } from '../kit/agencies.ts'
import { openBare, type People, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'

openBare()
let people: People
let agencyId: string
const now = new Date('2026-11-22T12:00:00-06:00')

/** Two sales in October and one in February, one client without an installation, one invited, and one invitation that ran out. */
beforeAll(async () => {
  world.at(now)
  people = await world.people()
  agencyId = people.ally.agencyId!
  await agree(world, agencyId, { commissionKind: 'amount', commissionValue: 1_500_00 })
  for (const day of ['2026-10-31T23:30', '2026-10-02T10:00', '2026-02-10T10:00']) {
    const { customer } = await earn(world, {
      isPaid: false,
      agencyId,
      finishedAt: new Date(`${day}:00-06:00`),
    })
    await joined(world, customer, people.ally, { createdAt: new Date('2026-01-15T12:00:00-06:00') })
  }
  await joined(world, people.customer, people.ally, { createdAt: new Date('2026-03-01T12:00:00-06:00') })
  const invited = { agencyId, allyId: people.ally.id, source: 'counter' as const, name: 'Inés' }
  const runOut = { endedAt: now, endedReason: 'expired', name: null }
  await world.db.insert(clients).values([
    { ...invited, createdAt: new Date('2026-11-01T12:00:00-06:00') },
    { ...invited, ...runOut, createdAt: new Date('2026-04-01T12:00:00-06:00') },
    { ...invited, ...runOut, endedReason: 'withdrawn', createdAt: new Date('2026-04-01T12:00:00-06:00') },
    { ...invited, createdAt: new Date('2025-04-01T12:00:00-06:00') },
  ])
})

const page = (section: AgencySection = 'resumen', more = '') => agencyPath(agencyId, section) + more
async function summary(person: Person, more = ''): Promise<Summary> {
  const { value } = await world.data(page('resumen', more), person)
  const screen = (value as Record<string, { data: { summary: Summary | null } }>)['agencies/agency-summary']
  return screen?.data.summary ?? expect.fail('no summary')
}
const csv = async (file: string, person: Person, more = '') => {
  const { text } = await world.visit(`/admin/agency/${agencyId}/${file}.csv${more}`, person)
  return text
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
}

describe('what an agency comes to', () => {
  test('clients by stage are as many as the list shows at each', async () => {
    const { figures } = await summary(people.manager)
    for (const stage of clientStages) {
      const { total } = await listClients(world.db, people.manager.actor, agencyId, { stage }, now)
      expect([stage, figures.stages[stage]]).toEqual([stage, total])
    }
    expect(figures.stages).toMatchObject({ invited: 2, closed: 3 })
    const file = await csv('clientes-por-etapa', people.manager)
    expect(file).toEqual([
      ['Etapa', 'Clientes'],
      ...clientStages.map((stage) => [clientStageLabels[stage], String(figures.stages[stage])]),
    ])
  })

  test('installations stand in the local month in which they were finished', async () => {
    const { figures } = await summary(people.analyst)
    const some = figures.installations.filter(({ count }) => count > 0)
    expect(some).toEqual([
      { month: '2026-02', count: 1 },
      { month: '2026-10', count: 2 },
    ])
    const file = await csv('instalaciones-por-mes', people.analyst)
    expect(file.slice(1).map(([, count]) => Number(count))).toEqual(
      figures.installations.map(({ count }) => count),
    )
    expect((await summary(people.analyst, '?periodo=2025')).figures.compared.installations.now).toBe(0)
  })

  test('commissions of each month are those of its installations, for the manager and the agency itself', async () => {
    for (const person of [people.manager, people.ally]) {
      const { earnings } = (await summary(person)).figures
      const some = earnings?.months.filter(({ total }) => total !== 0)
      expect(some?.map(({ month, total }) => [month, total])).toEqual([
        ['2026-02', 1_500_00],
        ['2026-10', 3_000_00],
      ])
      const { sums } = await commissionMonths(world.db, person.actor, agencyId)
      expect(earnings?.sums).toEqual(sums)
      const file = await csv('comisiones-por-mes', person)
      expect(file.at(-2)).toEqual(['Octubre 2026', '3000.00', '0.00', '0.00', '3000.00'])
    }
  })

  test('conversion counts everybody who came in the period, and how far they are', async () => {
    const { figures } = await summary(people.manager)
    expect(figures.conversion.map(({ count }) => count)).toEqual([6, 4, 3, 3])
    const of = (year: string) =>
      conversionCounts(
        world.db,
        people.manager.actor,
        agencyId,
        Array.from({ length: 12 }, (_, n) => `${year}-${String(n + 1).padStart(2, '0')}`),
      )
    expect(await of('2025')).toEqual({ brought: 1, joined: 0, accepted: 0, installed: 0 })
  })

  test('the list of agencies says as many', async () => {
    const { figures } = await summary(people.manager)
    const { value } = await world.data('/admin/agencies', people.ally)
    const list = (value as Record<string, { data: { rows: unknown[] } }>)['agencies/agencies']
    const all = Object.values(figures.stages).reduce((a, b) => a + b, 0)
    expect(list?.data.rows).toMatchObject([{ clients: all, installations: 3 }])
    expect((await world.visit('/admin', people.ally)).text).toContain('Tus clientes por etapa')
  })
})

describe('who reads it', () => {
  test('an analyst finds no amount of it, and those who need contact facts find nothing else', async () => {
    const { figures } = await summary(people.analyst)
    expect(figures.earnings).toBeNull()
    for (const [asData, path] of [false, true].flatMap(
      (one) =>
        [
          [one, page()],
          [one, page('comisiones')],
        ] as const,
    )) {
      const { text } = await (asData ? world.data : world.visit)(path, people.analyst)
      expect(text).not.toMatch(/1,500\.00|150000|Comisión por mes/)
    }
    for (const person of [people.technician, people.gester]) {
      const { text } = await world.visit(page(), person)
      expect(text).not.toMatch(/Clientes por etapa|Instalaciones por mes|Traídos|Actividad/)
      const { value } = await world.data('/admin/agencies', person)
      const list = (value as Record<string, { data: { rows: unknown[] } }>)['agencies/agencies']
      expect(list?.data.rows[0]).toMatchObject({ clients: null, installations: null })
    }
  })

  test('a file is for whoever sees its chart; of another agency it does not exist', async () => {
    const files = ['clientes-por-etapa', 'instalaciones-por-mes', 'comisiones-por-mes']
    const heard = async (person: Person | undefined, id = agencyId) =>
      Promise.all(
        files.map(async (file) => {
          const { status, location } = await world.visit(`/admin/agency/${id}/${file}.csv`, person)
          return location ?? status
        }),
      )
    const ally2 = await world.person({ kind: 'alliate', agencyId: await otherAgency() })
    expect(await heard(people.manager)).toEqual([200, 200, 200])
    expect(await heard(people.ally)).toEqual([200, 200, 200])
    expect(await heard(people.analyst)).toEqual([200, 200, 404])
    for (const person of [people.technician, people.gester, ally2])
      expect(await heard(person)).toEqual([404, 404, 404])
    expect(await heard(people.customer)).toEqual(['/', '/', '/'])
    expect(await heard(undefined)).toEqual(['/signin', '/signin', '/signin'])
    expect(await heard(people.manager, 'x')).toEqual([404, 404, 404])
  })

  test('an ally reads of single commissions nothing, and of clients a first name', async () => {
    const sale = await sell(world, { agencyId })
    const id = await joined(world, sale.customer, people.ally)
    const [row] = await world.db.select().from(clients).where(sql`id = ${id}`)
    await world.db.execute(sql`insert into events (entity, entity_id, name, to_state)
      values ('client', ${row!.id}, 'stage', 'closed')`)
    const about = (await agencyActivity(world.db, people.ally.actor, agencyId)).map((event) => event)
    expect(about[0]).toMatchObject({ about: 'client', name: 'stage', subject: 'Camila' })
    expect(about.some((event) => event.about === 'commission')).toBe(false)
    const all = await agencyActivity(world.db, people.manager.actor, agencyId)
    expect(all.some((event) => event.about === 'commission')).toBe(true)
    await expect(agencyActivity(world.db, people.technician.actor, agencyId)).rejects.toThrow()
  })
})

async function otherAgency(): Promise<string> {
  const other = await world.agency({ name: 'Otra' })
  return other.id
}

import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { personZones, shifts } from '../../../src/server/platform/database/schema/accounts.ts'
import { openEach, people, sendJobs, world } from '../../kit/open.ts'
import { at, changes, tries, visitFor, workday } from '../../kit/users.ts'

openEach()
sendJobs()

const day = workday()

describe('each kind of change touches what it should', () => {
  type Case = [string, () => ReturnType<typeof changes.deactivate>, string, boolean]
  const own = () => people.technician.id
  const write =
    (text: string, ...values: unknown[]) =>
    async (tx: { $client: { query: (...all: never[]) => unknown } }) => {
      await tx.$client.query(...([text, values] as unknown as never[]))
    }
  const cases: Case[] = [
    [
      'role',
      () => write(`update users set role = 'customer', kind = null where id = $1`, own()),
      'No realiza este servicio',
      false,
    ],
    [
      'kind',
      () => write(`update users set kind = 'analyst' where id = $1`, own()),
      'No realiza este servicio',
      false,
    ],
    [
      'another kind',
      () => write(`update users set kind = 'gester' where id = $1`, own()),
      'No realiza este servicio',
      false,
    ],
    [
      'shifts',
      () => write('delete from shifts where person_id = $1', own()),
      'Queda fuera de su turno',
      true,
    ],
    [
      'zones',
      () => write(`insert into person_zones values ($1, 'toluca')`, own()),
      'No atiende esta zona',
      true,
    ],
    [
      'opening hours',
      () => changes.settings({ hours: Array(7).fill({ from: 540, to: 600 }) }),
      'Queda fuera del horario de servicio',
      true,
    ],
    ['a holiday', () => changes.settings({ holidays: [day] }), 'Es día festivo', true],
  ]
  test.each(cases)('%s', async (_name, change, words, canKeep) => {
    const visit = await visitFor(world, people.technician, at(day, '10:00'))
    const { affected } = await tries(world, people.manager.actor, change())
    expect(affected).toMatchObject([{ id: visit.id, reasons: [words], canKeep }])
  })

  const harmless: [string, () => ReturnType<typeof changes.deactivate>][] = [
    ['a name', () => write(`update users set name = 'Otro' where id = $1`, own())],
    [
      'longer visits and fewer a day',
      () =>
        changes.settings({ services: { technical_visit: { minutes: 240, dailyMax: 1 } }, bufferMinutes: 60 }),
    ],
    ['a holiday on another day', () => changes.settings({ holidays: [workday(1)] })],
    ['time off at another hour', () => changes.off(people.technician, at(day, '13:00'), at(day, '18:00'))],
    ['more zones', () => write(`insert into person_zones values ($1, 'toluca'), ($1, 'coyoacan')`, own())],
    ['travel', () => write(`insert into travel_minutes values ('coyoacan', 'coyoacan', 600)`)],
  ]
  test.each(harmless)('%s touches nothing', async (_name, change) => {
    await visitFor(world, people.technician, at(day, '10:00'))
    await visitFor(world, people.technician, at(day, '11:30'))
    expect((await tries(world, people.manager.actor, change())).refused).toBeNull()
  })

  test('an analyst’s video call goes to another analyst, wherever the customer lives', async () => {
    const { manager, analyst } = people
    const other = await world.person({ kind: 'analyst', name: 'Amalia', zones: ['toluca'] })
    const call = { service: 'videocall', minutes: 30, municipality: null, address: null } as const
    const visit = await visitFor(world, analyst, at(day, '10:00'), call)
    const { affected } = await tries(world, manager.actor, changes.deactivate(analyst))
    expect(affected).toMatchObject([{ id: visit.id, able: [{ id: other.id, name: 'Amalia Prueba' }] }])
  })

  test('a reason that was there before is not asked about again', async () => {
    const { manager, technician } = people
    await world.db.insert(personZones).values({ personId: technician.id, municipality: 'toluca' })
    await visitFor(world, technician, at(day, '10:00'), { overrideReason: 'Vive cerca' })
    const zones = write(`update person_zones set municipality = 'lerma' where person_id = $1`, own())
    expect((await tries(world, manager.actor, zones)).refused).toBeNull()
    await world.db.delete(shifts).where(eq(shifts.personId, technician.id))
  })

  test('what is over, cancelled or nobody’s is not touched', async () => {
    const { manager, technician } = people
    await visitFor(world, technician, at(day, '10:00'), { state: 'cancelled' })
    await visitFor(world, null, at(day, '10:00'))
    await visitFor(world, technician, new Date(Date.now() - 2 * 3_600_000))
    expect((await tries(world, manager.actor, changes.deactivate(technician))).refused).toBeNull()
  })
})

describe('somebody at work right now', () => {
  test.each(['en_route', 'in_progress', 'paused'] as const)('%s: it ends first', async (state) => {
    const { manager, technician } = people
    const visit = await visitFor(world, technician, new Date(Date.now() - 1_800_000), { state })
    const { refused, affected } = await tries(world, manager.actor, changes.deactivate(technician))
    expect(refused?.description).toBe(
      `Tomás Prueba está en la cita ${visit.folio} en este momento. Haz el cambio cuando la termine.`,
    )
    expect(affected).toEqual([])
    const shorter = async (tx: Parameters<ReturnType<typeof changes.deactivate>>[0]) => {
      await tx.delete(shifts).where(eq(shifts.personId, technician.id))
    }
    expect((await tries(world, manager.actor, shorter)).refused).toBeNull()
  })

  test('one that was never ended, days ago, keeps nobody in the house', async () => {
    const { manager, technician } = people
    await visitFor(world, technician, new Date(Date.now() - 30 * 3_600_000), { state: 'in_progress' })
    expect((await tries(world, manager.actor, changes.deactivate(technician))).refused).toBeNull()
  })
})

import { beforeEach, expect, test } from 'vitest'
import { defaultTravel, travelBetween } from '../../src/domain/scheduling/roster.ts'
import { municipalities } from '../../src/domain/shared/places.ts'
import { travelMinutes } from '../../src/server/platform/database/schema/accounts.ts'
import { currentStaffing, zoneOf } from '../../src/server/scheduling/roster.ts'
import { openBareEach, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { at, save, wordsOf } from '../kit/settings.ts'

openBareEach()
let manager: Person
beforeEach(async () => {
  manager = await world.person({ kind: 'manager', name: 'Mariana' })
})

const usual = defaultTravel()
const minutesFrom = (travel: Uint16Array, from: string) =>
  Object.fromEntries(
    municipalities.map(({ slug }) => [slug, String(travelBetween(travel, zoneOf(from), zoneOf(slug)))]),
  )
const now = async (from: string, to: string) =>
  travelBetween((await currentStaffing(world.db)).travel, zoneOf(from), zoneOf(to))
const edits = () => world.db.select().from(travelMinutes)
const form = (changes: Record<string, string>) => ({
  from: 'coyoacan',
  ...minutesFrom(usual, 'coyoacan'),
  ...changes,
})

test('only what differs from the distance is kept, one way or both', async () => {
  const answer = await save(world, manager, 'travel', form({ toluca: '200' }))
  expect([answer.status, answer.location]).toEqual([303, `${at('traslados')}?desde=coyoacan`])
  expect(await edits()).toEqual([{ fromMunicipality: 'coyoacan', toMunicipality: 'toluca', minutes: 200 }])
  expect(await now('coyoacan', 'toluca')).toBe(200)
  expect(await now('toluca', 'coyoacan')).not.toBe(200)

  await save(world, manager, 'travel', form({ toluca: '210', bothWays: 'on' }))
  expect([await now('coyoacan', 'toluca'), await now('toluca', 'coyoacan')]).toEqual([210, 210])
  const { text } = await world.visit(`${at('traslados')}?desde=coyoacan`, manager)
  expect(wordsOf(text)).toMatch(/Coyoacán – Toluca: 200\u00a0min → 210\u00a0min/)
  expect(text).toContain('Por distancia: ')
})

test('back to what the distance says, one way or both', async () => {
  await save(world, manager, 'travel', form({ toluca: '200', lerma: '180', bothWays: 'on' }))
  expect(await edits()).toHaveLength(4)
  await save(world, manager, 'travel.reset', { from: 'coyoacan' })
  expect((await edits()).map(({ fromMunicipality }) => fromMunicipality).sort()).toEqual(['lerma', 'toluca'])
  await save(world, manager, 'travel.reset', { from: 'coyoacan', bothWays: 'on' })
  expect(await edits()).toEqual([])
  expect((await currentStaffing(world.db)).travel).toEqual(usual)
})

test('a wrong number, an unknown origin and a stale form change nothing', async () => {
  const wrong = await save(world, manager, 'travel', form({ toluca: '601' }))
  expect(wrong.status).toBe(400)
  expect((await save(world, manager, 'travel', form({ from: 'metepec' }))).status).toBe(400)
  expect((await save(world, manager, 'travel', { from: 'coyoacan', toluca: '10' })).status).toBe(400)
  expect((await save(world, manager, 'travel', form({ toluca: '90', version: '7' }))).status).toBe(409)
  expect((await save(world, manager, 'travel.reset', { from: '__proto__' })).status).toBe(400)
  expect(await edits()).toEqual([])
})

test('an origin that is none shows the first', async () => {
  const { text } = await world.visit(`${at('traslados')}?desde=metepec`, manager)
  expect(text).toContain('Desde Álvaro Obregón')
})

import { beforeEach, expect, test } from 'vitest'
import { defaultTravel, travelBetween } from '../../src/domain/scheduling/roster.ts'
import { municipalities } from '../../src/domain/shared/places.ts'
import { travelMinutes } from '../../src/server/platform/database/schema/accounts.ts'
import { currentStaffing, zoneOf } from '../../src/server/scheduling/roster.ts'
import { openBareEach, world } from '../kit/open.ts'
import type { Person } from '../kit/people.ts'
import { expectStatus, expectWords } from '../kit/reading.ts'
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

test('stores only what differs from the distance, one way or both', async () => {
  const answer = await save(world, manager, 'travel', form({ toluca: '200' }))
  expect([answer.status, answer.location]).toEqual([303, `${at('traslados')}?desde=coyoacan`])
  expect(await edits()).toEqual([{ fromMunicipality: 'coyoacan', toMunicipality: 'toluca', minutes: 200 }])
  expect(await now('coyoacan', 'toluca')).toBe(200)
  expect(await now('toluca', 'coyoacan')).not.toBe(200)

  await save(world, manager, 'travel', form({ toluca: '210', bothWays: 'on' }))
  expect([await now('coyoacan', 'toluca'), await now('toluca', 'coyoacan')]).toEqual([210, 210])
  const { text } = await world.visit(`${at('traslados')}?desde=coyoacan`, manager)
  expect(wordsOf(text)).toMatch(/Coyoacán – Toluca: 200\u00a0min → 210\u00a0min/)
  expectWords(text, 'Por distancia: ')
})

test('returns to the minutes by distance, one way or both', async () => {
  await save(world, manager, 'travel', form({ toluca: '200', lerma: '180', bothWays: 'on' }))
  expect(await edits()).toHaveLength(4)
  await save(world, manager, 'travel.reset', { from: 'coyoacan' })
  expect((await edits()).map(({ fromMunicipality }) => fromMunicipality).sort()).toEqual(['lerma', 'toluca'])
  await save(world, manager, 'travel.reset', { from: 'coyoacan', bothWays: 'on' })
  expect(await edits()).toEqual([])
  expect((await currentStaffing(world.db)).travel).toEqual(usual)
})

test('refuses a wrong number, an unknown origin and a stale form', async () => {
  for (const [intent, sent, status] of [
    ['travel', form({ toluca: '601' }), 400],
    ['travel', form({ from: 'metepec' }), 400],
    ['travel', { from: 'coyoacan', toluca: '10' }, 400],
    ['travel', form({ toluca: '90', version: '7' }), 409],
    ['travel.reset', { from: '__proto__' }, 400],
  ] as const)
    expectStatus(await save(world, manager, intent, sent), status)
  expect(await edits()).toEqual([])
})

test('shows the first origin for an unknown one', async () => {
  const { text } = await world.visit(`${at('traslados')}?desde=metepec`, manager)
  expectWords(text, 'Desde Álvaro Obregón')
})

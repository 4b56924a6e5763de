import { expect, test } from 'vitest'
import { keptFromEarlier } from '../../src/domain/reports/proposals.ts'
import type { Answers } from '../../src/domain/reports/report.ts'
import { givenForVisit, prefilledFor } from '../../src/server/reports/prefilled.ts'
import { around, customer, hour, move, storeVisit, visit } from '../kit/appointments.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'
import { openEach, people, world } from '../kit/open.ts'
import type { Home } from '../kit/people.ts'
import { beThere } from '../kit/reports.ts'
import { answer } from './phone.ts'

openEach(beThere)

const next = (days: number, changes: object = {}) => ({
  projectId: visit.projectId,
  address: { ...visit.address!, ...changes },
  startsAt: around(visit, days * 24 * hour),
})
const found: Answers = {
  meterNumber: '77XY10',
  panelBrand: 'Bticino',
  mainBreaker: 70,
  voltsL1N: 126,
  groundOk: true,
}
const write = () =>
  answer(world, people.technician, visit, ...Object.entries(found).map(([name, value]) => ({ name, value })))
const end = () =>
  move(world, people.technician, visit, 'finish', { outcome: 'partial', reason: 'sin_acceso' })

test('the second visit begins with what the first one found of the house, and measures anew', async () => {
  await write()
  await end()
  const second = next(2)
  const known = await prefilledFor(world.db, second, 'visit')
  expect(known).toMatchObject({ meterNumber: '77XY10', panelBrand: 'Bticino', mainBreaker: 70 })
  for (const name of ['voltsL1N', 'groundOk', 'feasibility']) expect(known).not.toHaveProperty(name)
  // It is not what the customer gave, and not of another home, nor of another kind of work.
  const home = { projectId: visit.projectId, address: visit.address } as unknown as Home
  const { id } = await storeVisit(world, customer, home, second.startsAt, {
    assigneeId: people.technician2.id,
  })
  expect(await givenForVisit(world.db, id)).not.toHaveProperty('meterNumber')
  expect(await prefilledFor(world.db, next(3, { street: 'Otra calle' }), 'visit')).not.toHaveProperty(
    'meterNumber',
  )
  expect(await prefilledFor(world.db, second, 'installation')).not.toHaveProperty('breaker')
})

test('an earlier visit learns nothing of a later one', async () => {
  await write()
  await end()
  expect(await prefilledFor(world.db, next(-2), 'visit')).not.toHaveProperty('meterNumber')
})

const kept = (changes: Answers, given: Answers = {}) =>
  keptFromEarlier('visit', { ...completeAnswers.visit, ...changes }, given)

test('what works change is asked anew', () => {
  expect(kept({})).toMatchObject({ supply: 'two', mainBreaker: 100, contractedKilowatts: 22 })
  for (const works of [{ feasibility: 'with_works' }, { feasibility: 'not_viable' }, { loadIncrease: true }])
    for (const name of ['supply', 'mainBreaker', 'contractedKilowatts', 'sparePoles'])
      expect(kept(works)).not.toHaveProperty(name)
})

test('what its customer gave since goes before, and another charger has another plate', () => {
  expect(kept({}, { chargerBrand: 'Wallbox' })).toMatchObject({ chargerAmps: 32, chargerSupply: 'two' })
  const other = kept({}, { chargerKilowatts: 11, vehicle: 'MG 4' })
  for (const name of ['chargerAmps', 'chargerSupply', 'chargerKilowatts', 'vehicle'])
    expect(other).not.toHaveProperty(name)
})

test('the second half of an installation begins with what the first one put in, never its metres or tests', () => {
  const record = keptFromEarlier('installation', completeAnswers.installation, { chargerBrand: 'Otra' })
  expect(record).toEqual({
    conductor: '8',
    breaker: 40,
    groundGauge: '10',
    conduitSize: '16',
    chargerBrand: 'Wallbox',
    chargerModel: 'Pulsar',
    chargerSerial: 'WB-000123',
  })
})

import { expect, test } from 'vitest'
import { conduitFor, isGroundEnough } from '../../src/domain/reports/circuit.ts'
import { usualOf } from '../../src/domain/reports/limits.ts'
import { missingIn, questionOf, sectionsOf } from '../../src/domain/reports/progress.ts'
import { proposalsIn } from '../../src/domain/reports/proposals.ts'
import { type Answers, type SheetKind, sheetKinds } from '../../src/domain/reports/report.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

const proposed = (kind: SheetKind, answers: Answers) =>
  Object.assign({}, ...sectionsOf[kind].map((section) => proposalsIn(kind, section, answers))) as Answers

const without = (kind: SheetKind, ...names: string[]) => ({
  ...completeAnswers[kind],
  ...Object.fromEntries(names.map((name) => [name, null])),
})

test('what is calculated or usual is proposed of a visit, by what was answered so far', () => {
  expect(proposed('visit', {})).toEqual({
    tenure: 'owner',
    tariff: '1',
    meterAtLimit: true,
    meterChoice: 'same',
    terminals75: false,
    needsUvie: false,
  })
  const names = ['contractedKilowatts', 'chargerSupply', 'conductor', 'loadIncrease', 'needsPermit', 'hours']
  expect(proposed('visit', { ...without('visit', 'contractedKilowatts'), asksHouse: true })).toEqual({
    contractedKilowatts: 10,
  })
  for (const name of names.slice(1))
    expect(proposed('visit', without('visit', name))).toEqual({
      [name]: completeAnswers.visit[name as keyof typeof completeAnswers.visit],
    })
  expect(proposed('visit', without('visit', 'materials')).materials).toBe(
    '22.5 m de cable 8 AWG, tierra 10 AWG, pastilla de 40 A.',
  )
})

test('an answer is never proposed over, and a proposal answers nothing', () => {
  for (const kind of sheetKinds) expect(proposed(kind, completeAnswers[kind])).toEqual({})
  const open = without('visit', 'tariff')
  expect(proposed('visit', open)).toEqual({ tariff: '1' })
  expect(missingIn('visit', open, new Set()).map(({ name }) => name)).toContain('tariff')
  expect(proposed('visit', { ...open, meterAtLimit: false })).toEqual({ tariff: '1' })
})

test('"viable" is proposed only where all was measured and nothing stands against it', () => {
  expect(proposed('visit', without('visit', 'feasibility'))).toEqual({ feasibility: 'viable' })
  for (const against of [
    { voltsNG: 5 },
    { groundOk: false },
    { sparePoles: 1 },
    { voltsL1N: null },
    { loads: null },
  ])
    expect(proposed('visit', { ...without('visit', 'feasibility'), ...against })).not.toHaveProperty(
      'feasibility',
    )
})

test.each<[Answers, unknown]>([
  [{ supply: 'two', chargerKilowatts: 7.4 }, 'two'],
  [{ supply: 'split', chargerKilowatts: 7.4 }, 'split'],
  [{ supply: 'three', chargerKilowatts: 7.4 }, 'two'],
  [{ supply: 'three', chargerKilowatts: 11 }, 'three'],
  [{ supply: 'two', chargerKilowatts: 11 }, undefined],
  [{ supply: 'single', chargerKilowatts: 7.4 }, undefined],
  [{ supply: 'single', chargerKilowatts: 2 }, 'single'],
])('%j: the charger is usually fed by %s', (answers, supply) => {
  expect(proposed('visit', answers).chargerSupply).toBe(supply)
})

test('a load increase and a permit are proposed where they are needed', () => {
  const house = { ...completeAnswers.visit, loadIncrease: null, mainBreaker: 30 }
  expect(proposed('visit', house)).toMatchObject({ loadIncrease: true })
  expect(proposed('visit', { dwelling: 'apartment' })).toMatchObject({ needsPermit: true })
})

test('of a record what was agreed is proposed, never its metres or a test', () => {
  const agreed = {
    agreedConductor: '8',
    agreedBreaker: 40,
    agreedGround: '10',
    agreedConduit: '16',
    agreedMetres: 20,
    agreedVolts: 220,
    asksGround: true,
  }
  const teaching = { taughtUse: true, taughtBreaker: true, taughtFaults: true, taughtWarranty: true }
  expect(proposed('installation', agreed)).toEqual({
    conductor: '8',
    breaker: 40,
    groundGauge: '10',
    conduitSize: '16',
    ...teaching,
  })
  // What was installed otherwise stays as it was written.
  expect(proposed('installation', { ...agreed, conductor: '10' })).not.toHaveProperty('conductor')
  expect(proposed('installation', {})).toEqual(teaching)
})

test('ground and conduit are asked of records begun since, and older ones are not held up', () => {
  const old = without('installation', 'groundGauge', 'conduitSize')
  const missing = (answers: Answers) =>
    missingIn('installation', answers, new Set())
      .filter(({ section }) => section === 'canalizacion')
      .flatMap(({ name }) => (questionOf('installation', name) ? [name] : []))
  expect(missing(old)).toEqual([])
  expect(missing({ ...old, asksGround: true })).toEqual(['groundGauge', 'conduitSize'])
  expect(missing({ ...completeAnswers.installation, groundGauge: '12' })).toEqual(['groundGauge'])
})

test('the ground reaches its table, and the conduit holds the wires', () => {
  expect([isGroundEnough('12', 20), isGroundEnough('12', 40), isGroundEnough('10', 40)]).toEqual([
    true,
    false,
    true,
  ])
  expect(conduitFor('8', '10', 'two')).toBe('16')
  expect(conduitFor('6', '10', 'two')).toBe('21')
  expect(conduitFor('1', '8', 'three')).toBe('53')
})

test.each<[string, Answers, unknown]>([
  ['voltsL1N', { supply: 'two' }, [114, 140]],
  ['voltsL1N', { supply: 'split' }, [108, 132]],
  ['voltsL1L2', { supply: 'two' }, [198, 242]],
  ['voltsL1L2', { supply: 'split' }, [216, 264]],
  ['voltsL2L3', { supply: 'three' }, [198, 242]],
  ['voltsNG', {}, [0, 2]],
  ['testVolts', { agreedVolts: 220 }, [198, 242]],
  ['testVolts', {}, null],
  ['voltsL1N', {}, null],
  ['mainBreaker', { supply: 'two' }, null],
])('%s of %j is usually within %j', (name, answers, usual) => {
  const found = usualOf(name, answers)
  expect(found && [Math.round(found.from), Math.round(found.to)]).toEqual(usual)
})

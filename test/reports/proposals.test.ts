import { usualOf } from '../../src/reports/rules/limits.ts'
import { isSignature } from '../../src/reports/rules/photos.ts'
import { isAnswered, isAsked, missingIn, questionOf, sectionsOf } from '../../src/reports/rules/progress.ts'
import { isProposable, proposalsIn } from '../../src/reports/rules/proposals.ts'
import type { Answers, Question, SheetKind } from '../../src/reports/rules/report.ts'
import { completeAnswers, mostTaps, unlikeProposed, usualFindings } from '../kit/complete-sheet.ts'

const proposed = (kind: SheetKind, answers: Answers) =>
  Object.assign({}, ...sectionsOf[kind].map((section) => proposalsIn(kind, section, answers))) as Answers

const without = (kind: SheetKind, ...names: string[]) => ({
  ...completeAnswers[kind],
  ...Object.fromEntries(names.map((name) => [name, null])),
})

test('proposes calculated and usual answers of a visit by the answers so far', () => {
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

/** What an installation's record knows of what was agreed. */
const agreed = {
  agreedConductor: '8',
  agreedBreaker: 40,
  agreedGround: '10',
  agreedConduit: '16',
  agreedMetres: 20,
  agreedVolts: 220,
  asksGround: true,
}

test('proposes what was agreed in a record, no metres or tests', () => {
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

/** What a report of a usual house knows before its technician comes. */
const given: Record<SheetKind, Answers> = {
  visit: {
    dwelling: 'house',
    vehicle: 'BYD Dolphin 2026',
    chargerSupplier: 'ours',
    chargerBrand: 'Wallbox',
    chargerKilowatts: 7,
    customerName: 'Quien recibe',
    asksHouse: true,
    asksPhases: true,
  },
  installation: {
    chargerBrand: 'Wallbox',
    chargerModel: 'Pulsar',
    customerName: 'Quien recibe',
    ...agreed,
    agreedSupply: 'two',
  },
}

/** A tap into a box or on a card; two on a list that opens; one on each of several. What is known or proposed opens first. */
function tapsOn(kind: SheetKind, question: Question): number {
  const value = usualFindings[kind][question.name]
  const opens = isProposable(kind, question.name) ? 1 : 0
  if (question.kind === 'loads') return opens + (value as readonly unknown[]).length
  if (question.kind === 'choices') return opens + String(value).split(',').length
  return opens + (question.kind === 'choice' && Object.keys(question.options).length > 6 ? 2 : 1)
}

/** What a technician who fills in a usual report answers by hand, and the taps that all of it takes, photos apart. */
function filledIn(kind: SheetKind) {
  const sections = sectionsOf[kind]
  const answers = { ...given[kind] }
  const byHand: string[] = []
  // To begin, to open the report, to go on from each section and to send it; the list of risks is above the first of these.
  let taps = 2 + sections.filter(({ id }) => id !== 'riesgos').length
  for (const section of sections) {
    for (const question of section.questions) {
      const { name } = question
      const isLeft = isAsked(question, answers) && !isAnswered(answers[name]) && !question.optional?.(answers)
      if (!isLeft || (isProposable(kind, name) && !unlikeProposed.includes(name))) continue
      byHand.push(name)
      taps += tapsOn(kind, question)
      answers[name] = usualFindings[kind][name] ?? null
    }
    const confirmed = proposalsIn(kind, section, answers)
    Object.assign(answers, confirmed)
    taps += Object.keys(confirmed).length > 0 ? 1 : 0
    // Its paper is opened, signed and put away.
    taps += 3 * section.slots.filter(isSignature).length
  }
  const pictures = new Set(sections.flatMap(({ slots }) => slots))
  return { answers: byHand.length, taps, missing: missingIn(kind, answers, pictures) }
}

test.each([
  ['visit', 17, 43],
  ['installation', 13, 29],
] as const)('a usual %s leaves %i answers to the hand, and takes %i taps', (kind, answers, taps) => {
  expect(filledIn(kind)).toEqual({ answers, taps, missing: [] })
  expect(taps).toBeLessThanOrEqual(mostTaps)
})

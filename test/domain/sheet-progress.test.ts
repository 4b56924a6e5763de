import { expect, test } from 'vitest'
import { slotFacts, slotsOf } from '../../src/domain/photo-slots.ts'
import type { Answers } from '../../src/domain/sheet.ts'
import { sheetKinds } from '../../src/domain/sheet.ts'
import {
  askedAgain,
  calculationOf,
  missingIn,
  missingInSection,
  progressOf,
  questionOf,
  sectionsOf,
} from '../../src/domain/sheet-progress.ts'
import { completeAnswers } from '../complete-sheet.ts'

const pictures = (kind: 'visit' | 'installation') =>
  new Set(slotsOf[kind].filter((slot) => !slot.startsWith('extra_')))

test.each(sheetKinds)('a whole %s sheet misses nothing, an empty one everything', (kind) => {
  expect(missingIn(kind, completeAnswers[kind], pictures(kind))).toEqual([])
  expect(progressOf(kind, completeAnswers[kind], pictures(kind))).toBe(100)
  expect(progressOf(kind, {}, new Set())).toBe(0)
})

test.each(sheetKinds)('whatever is taken out of a whole %s sheet is missing', (kind) => {
  for (const section of sectionsOf[kind]) {
    for (const question of section.questions.filter((one) => !one.optional && !one.asked)) {
      const without = { ...completeAnswers[kind], [question.name]: null }
      const names = missingInSection(kind, section, without, pictures(kind)).map(({ name }) => name)
      expect(names).toContain(question.name)
      expect(progressOf(kind, without, pictures(kind))).toBeLessThan(100)
    }
    for (const slot of section.slots) {
      const rest = new Set([...pictures(kind)].filter((one) => one !== slot))
      expect(missingIn(kind, completeAnswers[kind], rest)).toEqual([
        expect.objectContaining({ section: section.id, name: slot, label: slotFacts(kind, slot)!.label }),
      ])
    }
  }
})

test.each(sheetKinds)('the slots asked for in %s are its slots, each once', (kind) => {
  const asked = sectionsOf[kind].flatMap(({ extra = [], slots }) => [...slots, ...extra])
  expect(asked.toSorted()).toEqual([...slotsOf[kind]].toSorted())
})

test('twelve photos and two signatures for a visit, nine and two for an installation', () => {
  expect(pictures('visit').size).toBe(14)
  expect(pictures('installation').size).toBe(11)
})

const visitWith = (changes: Answers) =>
  missingIn('visit', { ...completeAnswers.visit, ...changes }, pictures('visit')).map(({ name }) => name)

test('what is not asked is not missing', () => {
  expect(visitWith({ supply: 'single', chargerSupply: 'single', voltsL2N: null, voltsL1L2: null })).toEqual(
    [],
  )
  expect(visitWith({ feasibility: 'not_viable', feasibilityReason: null })).toEqual(['feasibilityReason'])
})

test('a conductor under its ampacity, a silent drop and a load increase denied can not be sent', () => {
  expect(visitWith({ conductor: '10' })).toEqual(['conductor'])
  expect(visitWith({ chargerDistance: 120 })).toEqual(['dropNote'])
  expect(visitWith({ chargerDistance: 120, dropNote: 'El cliente cambiará el calibre.' })).toEqual([])
  expect(visitWith({ mainBreaker: 30, loadIncrease: false })).toEqual(['loadIncrease'])
})

test('where no breaker is large enough, the report is sent without a conductor', () => {
  const charger = { chargerSupply: 'two', chargerKilowatts: 22, chargerAmps: null, loadIncrease: true }
  expect(visitWith({ ...charger, conductor: null })).toEqual([])
  expect(visitWith({ ...charger, conductor: '12' })).toEqual([])
})

test('an installed conductor carries the installed breaker', () => {
  const installed = (changes: Answers) =>
    missingIn('installation', { ...completeAnswers.installation, ...changes }, pictures('installation'))
  expect(installed({ conductor: '10', breaker: 40 }).map(({ name }) => name)).toEqual(['conductor'])
  expect(installed({ conductor: '10', breaker: 30 })).toEqual([])
})

test('what was asked for again is missing until it is given anew, where it is asked', () => {
  expect(askedAgain('visit', ['conductor', 'extra_1', 'facade'])).toMatchObject([
    { section: 'calculo', label: 'Calibre del conductor' },
    { section: 'trabajo' },
    { section: 'lugar', label: 'Fachada' },
  ])
})

test('nothing is calculated before enough is known', () => {
  expect(calculationOf({})).toBeNull()
  expect(calculationOf({ ...completeAnswers.visit, mainBreaker: null })?.demand).toBeNull()
  expect(questionOf('visit', 'charger')).toBeNull()
})

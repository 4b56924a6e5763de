import { slotsOf } from '../../src/reports/rules/photos.ts'
import { sectionsOf } from '../../src/reports/rules/progress.ts'
import { type Answers, type SheetKind, sheetKinds } from '../../src/reports/rules/report.ts'
import { provenBy, reviewOf } from '../../src/reports/rules/review.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

const house = { dwelling: 'house' }
const flat = { dwelling: 'apartment' }
const doubtsIn = (kind: SheetKind, answers: Answers, home: { dwelling: string } | null) =>
  reviewOf({ kind, answers, home }).flags
const names = (answers: Answers, home: { dwelling: string } | null = house) =>
  doubtsIn('visit', { ...completeAnswers.visit, ...answers }, home).map(({ name }) => name)

test.each<[string, Answers, { dwelling: string } | null, string[]]>([
  ['nothing where all agrees', {}, house, []],
  ['nothing where no address is known', { dwelling: 'apartment', needsPermit: true }, null, []],
  ['another kind of home', { needsPermit: true }, flat, ['dwelling']],
  ['a flat without a permit', { dwelling: 'apartment' }, flat, ['needsPermit']],
  ['both', {}, flat, ['dwelling', 'needsPermit']],
  ['a flat with a permit', { dwelling: 'apartment', needsPermit: true }, flat, []],
  [
    'notes about the administration',
    { notes: 'Todo bien. Falta la administración del condominio.' },
    house,
    ['needsPermit'],
  ],
  [
    'the same in a flat once',
    { dwelling: 'apartment', notes: 'Falta permiso del condominio' },
    flat,
    ['needsPermit'],
  ],
  ['such notes with the permit asked for', { notes: 'Falta el condominio', needsPermit: true }, house, []],
  ['an obstacle that names the UVIE', { obstacles: 'Pedir UVIE' }, house, ['needsUvie']],
  [
    'works that ask for more load',
    { feasibilityReason: 'Hay que aumentar la carga' },
    house,
    ['loadIncrease'],
  ],
  ['materials for a second meter', { materials: 'Base para segundo medidor' }, house, ['meterChoice']],
  ['32 A at 127 V', { chargerSupply: 'single', chargerKilowatts: 4 }, house, ['chargerSupply']],
  ['no 16 A there', { chargerSupply: 'single', chargerKilowatts: 2, chargerAmps: 16 }, house, []],
  ['no 2.3 kW there', { chargerSupply: 'single', chargerKilowatts: 2.3, chargerAmps: null }, house, []],
  ['a second meter that was chosen', { materials: 'Segundo medidor', meterChoice: 'second' }, house, []],
])('a review points at %s', (_, answers, home, expected) => expect(names(answers, home)).toEqual(expected))

test('quotes the report in what it points at', () =>
  expect(
    doubtsIn(
      'visit',
      { ...completeAnswers.visit, notes: 'Todo bien. Falta la administración.\nNada más' },
      house,
    ),
  ).toEqual([
    {
      name: 'needsPermit',
      message: 'El permiso del condominio dice No, y el reporte dice: «Falta la administración».',
    },
  ]))

test('an answer that is not what the customer gave is pointed at, with both', () => {
  const known = {
    vehicle: 'Tesla Model 3 2024',
    chargerBrand: 'WALLBOX',
    chargerKilowatts: 7.4,
    cfeServiceNumber: '123456789012',
  }
  const answers = {
    ...completeAnswers.visit,
    vehicle: 'BYD Dolphin 2025',
    chargerBrand: 'Wallbox ',
    chargerKilowatts: 11,
    cfeServiceNumber: '123456789012',
  }
  const { flags, lines } = reviewOf({ kind: 'visit', answers, known, home: house })
  expect(flags.map(({ name }) => name)).toEqual(['vehicle', 'chargerKilowatts'])
  expect(lines.join('\n')).toContain(
    'el cliente dio «Tesla Model 3 2024» y el reporte dice «BYD Dolphin 2025».',
  )
  expect(reviewOf({ kind: 'visit', answers, known: {}, home: house }).flags).toEqual([])
})

test('a photo of how it was that came after the load test is remarked', () => {
  const files = (before: string, ...tests: string[]) =>
    [['before', before], ...tests.map((at) => ['load_test', at])].map(([slot, at]) => ({
      slot: slot!,
      capturedAt: new Date(`2026-11-27T${at}:00Z`),
    }))
  const linesOf = (kind: SheetKind, taken: ReturnType<typeof files>) =>
    reviewOf({ kind, answers: completeAnswers[kind], home: null, files: taken }).lines
  const remark = expect.stringContaining('«Antes de empezar» se guardó después de «Prueba de carga»')
  expect(linesOf('installation', files('15:01', '15:00'))).toContainEqual(remark)
  expect(linesOf('installation', files('15:00', '15:00'))).not.toContainEqual(remark)
  // Of a picture taken again, the newer one counts.
  expect(linesOf('installation', files('15:01', '15:00', '15:02'))).not.toContainEqual(remark)
  expect(linesOf('installation', files('15:01'))).not.toContainEqual(remark)
  expect(linesOf('visit', files('15:01', '15:00'))).not.toContainEqual(remark)
})

test('a record of work has none', () =>
  expect(doubtsIn('installation', { ...completeAnswers.installation, dwelling: 'house' }, flat)).toEqual([]))

describe.each(sheetKinds)('the photos of a %s', (kind) => {
  test('prove answers of their own section, each answer by one photo', () => {
    const all = slotsOf[kind].flatMap((slot) => provenBy(kind, slot).map((name) => [slot, name]))
    expect(all.length).toBeGreaterThan(5)
    expect(new Set(all.map(([, name]) => name)).size).toBe(all.length)
    for (const [slot, name] of all) {
      const section = sectionsOf[kind].find(({ questions }) => questions.some((one) => one.name === name))
      expect(section?.slots, `${slot} ${name}`).toContain(slot)
    }
  })
})

import { deviations } from '../../src/reports/rules/limits.ts'
import { calculationOf, whyHeld } from '../../src/reports/rules/passport.ts'
import { slotFacts, slotsOf } from '../../src/reports/rules/photos.ts'
import {
  askedAgain,
  isAsked,
  missingIn,
  missingInSection,
  progressOf,
  questionOf,
  sectionsOf,
} from '../../src/reports/rules/progress.ts'
import { type Answers, sheetKinds } from '../../src/reports/rules/report.ts'
import { completeAnswers } from '../kit/complete-sheet.ts'

const pictures = (kind: 'visit' | 'installation') =>
  new Set(slotsOf[kind].filter((slot) => !slot.startsWith('extra_')))

const everySlot = { asksFeeder: true, asksReadings: true, agreedLimit: 32, limitWay: 'switch' }

test.each(sheetKinds)('a complete %s report has no missing answers, an empty one no progress', (kind) => {
  expect(missingIn(kind, completeAnswers[kind], pictures(kind))).toEqual([])
  expect(progressOf(kind, completeAnswers[kind], pictures(kind))).toBe(100)
  expect(progressOf(kind, {}, new Set())).toBe(0)
})

test.each(sheetKinds)(
  'reports each answer and photo removed from a complete %s report as missing',
  (kind) => {
    for (const section of sectionsOf[kind]) {
      for (const question of section.questions.filter((one) => !one.optional && !one.asked)) {
        const without = { ...completeAnswers[kind], [question.name]: null }
        expect(missingInSection(kind, section, without, pictures(kind)).map(({ name }) => name)).toContain(
          question.name,
        )
        expect(progressOf(kind, without, pictures(kind))).toBeLessThan(100)
      }
      for (const slot of section.slots) {
        const rest = new Set([...pictures(kind)].filter((one) => one !== slot))
        expect(missingIn(kind, { ...completeAnswers[kind], ...everySlot }, rest)).toEqual([
          expect.objectContaining({ section: section.id, name: slot, label: slotFacts(kind, slot)!.label }),
        ])
      }
    }
  },
)

test.each(sheetKinds)('asks for each photo of a %s once', (kind) => {
  const asked = sectionsOf[kind].flatMap(({ extra = [], slots }) => [...slots, ...extra])
  expect(asked.toSorted()).toEqual([...slotsOf[kind]].toSorted())
})

const visitWith = (changes: Answers) =>
  missingIn('visit', { ...completeAnswers.visit, ...changes }, pictures('visit')).map(({ name }) => name)

test('requires no answer to a question that is not asked', () => {
  const single = { supply: 'single', chargerSupply: 'single', chargerKilowatts: 2, chargerAmps: 16 }
  expect(
    visitWith({ ...single, meterChoice: 'second', voltsL2N: null, voltsL1L2: null, chargerDistance: 10 }),
  ).toEqual([])
  expect(visitWith({ feasibility: 'not_viable', feasibilityReason: null })).toEqual(['feasibilityReason'])
})

test('refuses a conductor under its ampacity, a drop above 5 % where another has less, and a denied load increase', () => {
  expect(visitWith({ conductor: '10' })).toEqual(['conductor'])
  expect(visitWith({ chargerDistance: 58 })).toEqual([])
  expect(visitWith({ chargerDistance: 60 })).toEqual(['conductor'])
  expect(visitWith({ chargerDistance: 60, meterChoice: 'second' })).toEqual([])
  expect(visitWith({ chargerDistance: 60, conductor: '6' })).toEqual([])
  expect(visitWith({ mainBreaker: 30, loadIncrease: false })).toEqual(['loadIncrease'])
})

test('a charger of three phases on a home of two is an error, unless the home is changed for it', () => {
  const three = { chargerSupply: 'three', chargerKilowatts: 11, chargerAmps: null, sparePoles: 6 }
  expect(visitWith(three)).toEqual(['chargerSupply', 'loadIncrease', 'feasibility'])
  expect(visitWith({ ...three, supply: 'single' })).toContain('chargerSupply')
  const changed = { feasibility: 'with_works', feasibilityReason: 'Hay que contratar trifásico.' }
  expect(visitWith({ ...three, ...changed })).toEqual(['loadIncrease'])
  expect(visitWith({ ...three, ...changed, loadIncrease: true })).toEqual([])
  expect(visitWith({ ...three, feasibility: 'not_viable', feasibilityReason: 'No hay trifásico.' })).toEqual([
    'loadIncrease',
  ])
  expect(visitWith({ ...three, meterChoice: 'second' })).toEqual([])
})

test('a plate that goes against the power is looked at again', () => {
  expect(visitWith({ chargerKilowatts: 7.4, chargerAmps: 6 })).toContain('chargerAmps')
  expect(visitWith({ chargerKilowatts: 7.4, chargerAmps: 32 })).toEqual([])
})

test.each<[string, Answers]>([
  ['12 V from L1 to neutral', { voltsL1N: 12 }],
  ['300 V between the phases', { voltsL1L2: 300 }],
  ['15 V from neutral to earth', { voltsNG: 15 }],
  ['no earth', { groundOk: false }],
  ['no free poles', { sparePoles: 0 }],
  ['one pole for a charger of two', { sparePoles: 1 }],
])('%s is not viable as it is', (_, measured) => {
  expect(visitWith(measured)).toEqual(['feasibility'])
  const works = { feasibility: 'with_works', feasibilityReason: 'Se arregla antes de instalar.' }
  expect(visitWith({ ...measured, ...works })).toEqual([])
})

test('judges the voltages of a split-phase home by its own range', () => {
  const split = { supply: 'split', chargerSupply: 'split', chargerKilowatts: 7.7 }
  expect(visitWith({ ...split, voltsL1N: 119, voltsL2N: 121, voltsL1L2: 240 })).toEqual([])
  expect(visitWith({ ...split, voltsL1N: 119, voltsL2N: 121, voltsL1L2: 208 })).toEqual(['feasibility'])
})

test('a home of three phases is measured between each two, and older reports are not held up', () => {
  const three = { supply: 'three', voltsL3N: 127, sparePoles: 6 }
  expect(visitWith(three)).toEqual([])
  expect(visitWith({ ...three, asksPhases: true })).toEqual(['voltsL2L3', 'voltsL1L3'])
  const pairs = { asksPhases: true, voltsL2L3: 220, voltsL1L3: 219 }
  expect(visitWith({ ...three, ...pairs })).toEqual([])
  expect(visitWith({ ...three, ...pairs, voltsL1L3: 130 })).toEqual(['feasibility'])
  // Two phases have no third to be measured against.
  expect(visitWith({ ...pairs, voltsL1L3: 130 })).toEqual([])
})

test.each([
  ['a feeder far thinner than its breaker', { feederGauge: '8', loadIncrease: true }],
  ['a feeder that is hidden', { feederGauge: 'unknown' }],
  ['a drop above 5 % with every conductor', { chargerDistance: 300, feederMetres: 60 }],
])('%s is not viable as it is', (_what, changes) => {
  expect(visitWith(changes)).toEqual(['feasibility'])
  const works = { feasibility: 'with_works', feasibilityReason: 'Hay que cambiar el alimentador.' }
  expect(visitWith({ ...changes, ...works })).toEqual([])
  expect(visitWith({ ...changes, meterChoice: 'second' })).not.toContain('feasibility')
})

test('the home and its contract are asked of reports begun since, and older ones are not held up', () => {
  const without = { area: null, contractedKilowatts: null }
  expect(visitWith({ ...without, asksHouse: true })).toEqual(['area', 'contractedKilowatts'])
  expect(visitWith(without)).toEqual([])
  const feeder = { feederGauge: null, feederMetres: null }
  expect(visitWith({ ...feeder, asksFeeder: true })).toEqual(['feederGauge', 'feederMetres'])
  expect(visitWith(feeder)).toEqual([])
  expect(visitWith({ contractedKilowatts: 10 })).toEqual(['loadIncrease'])
})

test('where no breaker is large enough, the report is sent without a conductor', () => {
  const charger = { chargerSupply: 'two', chargerKilowatts: 22, chargerAmps: null, loadIncrease: true }
  expect(visitWith({ ...charger, conductor: null })).toEqual([])
  expect(visitWith({ ...charger, conductor: '12' })).toEqual([])
})

test('refuses a record whose breaker is above what its conductor bears, or below its charger', () => {
  const over = { conductor: '8', breaker: 50 }
  expect(installed(over)).toMatchObject([
    {
      section: 'canalizacion',
      name: 'conductor',
      message:
        '8\u00a0AWG con zapatas de 60\u00a0°C aguanta 40\u00a0A: con pastilla de 50\u00a0A pon 6\u00a0AWG.',
    },
  ])
  expect(installed({ conductor: '8', breaker: 60, agreedTerminals75: true })).toMatchObject([
    { message: expect.stringContaining('zapatas de 75\u00a0°C aguanta 50\u00a0A') },
  ])
  expect(installed({ chargerSet: 33 })[0]?.message).toContain('a 32\u00a0A o menos')
})

test('asks a record for its terminals only where they decide', () => {
  const terminals = questionOf('installation', 'terminals75')!
  const asked = (answers: Answers) => isAsked(terminals, { ...completeAnswers.installation, ...answers })
  expect(asked({ breaker: 40 })).toBe(false)
  expect(asked({ breaker: 50 })).toBe(true)
  expect(asked({ breaker: 50, agreedTerminals75: true })).toBe(false)
  expect(asked({ breaker: 60 })).toBe(false)
})

const installed = (changes: Answers) =>
  missingIn('installation', { ...completeAnswers.installation, ...changes }, pictures('installation'))

const visited = {
  agreedBreaker: 40,
  agreedAmps: 32,
  agreedSupply: 'two',
  agreedFeederDrop: 0.6,
  asksPlate: true,
}
test('says what would be thick enough over the real metres', () => {
  const drop = (metres: number) => installed({ ...visited, plateBreaker: 60, metres })[0]?.message
  expect(drop(120)).toBe('Con esos metros la caída es de 9.5\u00a0% y lo más son 5\u00a0%: pon 4\u00a0AWG.')
  expect(drop(300)).toContain('pon 1\u00a0AWG')
})

const at13 = { ...visited, plateBreaker: 60, agreedLimit: 13, limitWay: 'cover', chargerSet: 13 }
test.each<[string, Answers, string[]]>([
  ['a limited charger', at13, []],
  ['one whose current is not answered', { ...at13, chargerSet: null }, ['chargerSet']],
  ['one without a way to limit it', { ...at13, limitWay: null }, ['limitWay']],
  [
    'a charger before its second meter',
    { plateBreaker: 60, agreedHeld: whyHeld.second_meter },
    ['chargerSet'],
  ],
  [
    'an unknown current with another breaker',
    { ...visited, breaker: 50, conductor: '6', chargerSet: null, deviationReason: 'Otro' },
    ['chargerSet'],
  ],
  ['the agreed breaker and an unknown current', { ...visited, chargerSet: null }, []],
  ['a plate that is not answered', { ...visited, plateBreaker: null }, ['plateBreaker']],
  ['works that are not done', { agreedWorks: 'Cambiar la mufa.', worksDone: false }, ['worksDone']],
  ['works that are not answered', { agreedWorks: 'Cambiar la mufa.' }, ['worksDone']],
])('judges %s by what the visit found', (_what, changes, names) =>
  expect(installed(changes).map(({ name }) => name)).toEqual(names),
)

test('a limited charger needs photos of its setting and its label', () => {
  const answers = { ...completeAnswers.installation, ...at13 }
  const without = new Set([...pictures('installation')].filter((slot) => !slot.startsWith('limit_')))
  const names = missingIn('installation', answers, without).map(({ name }) => name)
  expect(names).toEqual(['limit_setting', 'limit_label'])
  expect(missingIn('installation', completeAnswers.installation, without)).toEqual([])
})

const limited = { ...at13, asksReadings: true }
// Each alone, at the limit and beyond it.
test.each<[string, Answers, Answers]>([
  ['the differential', { gfciOk: true }, { gfciOk: false }],
  ['the insulation', { insulation: 1 }, { insulation: 0.9 }],
  ['neutral to ground', { testVoltsNG: 2 }, { testVoltsNG: 2.1 }],
  ['the ground', { groundOhms: 25 }, { groundOhms: 25.1 }],
  ['too little voltage', { testVolts: 198, agreedVolts: 220 }, { testVolts: 197.9, agreedVolts: 220 }],
  ['too much voltage', { testVolts: 242, agreedVolts: 220 }, { testVolts: 242.1, agreedVolts: 220 }],
  ['a voltage of no supply', { testVolts: 127 }, { testVolts: 90 }],
  ['the load test', { loadTestMinutes: 10 }, { loadTestMinutes: 9 }],
  ['a limited current', { ...limited, loadTestAmps: 13 }, { ...limited, loadTestAmps: 13.1 }],
])('%s outside its limit keeps the record from being sent', (_, good, bad) => {
  expect(installed(good)).toEqual([])
  expect(installed(bad)).toMatchObject([
    { section: 'pruebas', unsafe: true, message: expect.stringMatching('^No puede quedar energizado\\.') },
  ])
})

const agreed = { agreedConductor: '8', agreedBreaker: 40, agreedMetres: 22, agreedConduit: '16' }
test.each<[string, Answers, string[]]>([
  ['nothing', { metres: 24.2 }, []],
  ['the gauge', { conductor: '6', conduitSize: '21' }, ['Se acordó 8\u00a0AWG y se puso 6\u00a0AWG.']],
  ['the breaker', { breaker: 20, chargerSet: 16 }, ['Se acordó de 40\u00a0A y se puso de 20\u00a0A.']],
  ['a wider conduit', { conduitSize: '21' }, []],
  [
    'a record of before, which does not know what feeds the charger',
    { agreedConductor: '6', conductor: '6' },
    [],
  ],
  [
    'a smaller conduit',
    { agreedConduit: '21' },
    ['Se puso tubería de 16\u00a0mm (½") y le toca de 21\u00a0mm (¾").'],
  ],
  [
    'a conduit that its wires fill',
    { agreedConductor: '6', agreedSupply: 'two', conductor: '6' },
    ['Se puso tubería de 16\u00a0mm (½") y le toca de 21\u00a0mm (¾").'],
  ],
  [
    'a conduit of three phases that its wires fill',
    { agreedSupply: 'three' },
    ['Se puso tubería de 16\u00a0mm (½") y le toca de 21\u00a0mm (¾").'],
  ],
  ['a tenth more of metres', { metres: 24.3 }, ['Se acordaron 22\u00a0m y se pusieron 24.3\u00a0m.']],
])('names what differs from what was agreed and requires a reason: %s', (_, changes, messages) => {
  const answers = { ...completeAnswers.installation, ...agreed, ...changes }
  expect(deviations(answers).map(({ message }) => message)).toEqual(messages)
  expect(installed({ ...agreed, ...changes }).map(({ name }) => name)).toEqual(
    messages.length > 0 ? ['deviationReason'] : [],
  )
  expect(installed({ ...agreed, ...changes, deviationReason: 'Así lo pidió el cliente.' })).toEqual([])
})

test.each([
  ['visit', 'sparePoles voltsL1N voltsL2N voltsL3N voltsL1L2 voltsL2L3 voltsL1L3 voltsNG groundOk'],
  ['installation', 'testVolts testVoltsNG insulation groundOhms gfciOk loadTestMinutes loadTestAmps'],
] as const)('declares the measurements of a %s', (kind, names) => {
  const questions = sectionsOf[kind].flatMap((section) => section.questions)
  expect(questions.filter(({ measured }) => measured).map(({ name }) => name)).toEqual(names.split(' '))
})

test('lists what is asked again in the section that asks it', () => {
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

import { caseInput, casesInput } from '../../src/cfe/rules/schema.ts'

const seen = '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f'
type Intent = keyof typeof caseInput
const move = { move: 'hold', version: '3', reason: 'Falta algo.' }
const facts = { version: '1', serviceNumber: '123 456 789-012', poleMetres: '35,5' }

test.each<[Intent, object, object]>([
  ['case.move', move, { move: 'hold', version: 3, correctedBy: null, requestNumber: null }],
  ['case.move', { ...move, move: 'close', reason: '' }, { move: 'close', reason: null }],
  [
    'case.move',
    { ...move, move: 'observe', correctedBy: 'gester', asked: 'bill' },
    { correctedBy: 'gester' },
  ],
  ['case.return', { paper: 'bill', seen, reason: 'Borroso.' }, { reason: 'Borroso.' }],
  [
    'case.facts',
    facts,
    { serviceNumber: '123456789012', poleMetres: 35.5, isThreePhase: false, holderName: null },
  ],
  [
    'case.facts',
    { poleMetres: '300', version: '1', isThreePhase: 'on' },
    { poleMetres: 300, isThreePhase: true },
  ],
])('%s accepts %o', (intent, sent, read) => expect(caseInput[intent].parse(sent)).toMatchObject(read))

test.each<[Intent, object, string, string]>([
  ['case.move', { ...move, reason: ' ' }, 'reason', 'Escribe por qué.'],
  ['case.move', { ...move, move: 'observe', asked: 'bill' }, 'correctedBy', 'Elige quién lo corrige.'],
  [
    'case.move',
    { ...move, move: 'observe', correctedBy: 'gester' },
    'asked',
    'Elige qué documento observó CFE.',
  ],
  ['case.move', { ...move, move: 'installMeter' }, 'newMeterNumber', 'Escribe el número del medidor.'],
  ['case.move', { ...move, move: 'fly' }, 'move', 'Este formulario ya no sirve. Vuelve a abrir la página.'],
  ['case.return', { paper: 'bill', seen }, 'reason', 'Escribe qué hay que corregir.'],
  [
    'case.facts',
    { ...facts, serviceNumber: '1234' },
    'serviceNumber',
    'El número de servicio tiene 12 dígitos.',
  ],
  [
    'case.facts',
    { ...facts, poleMetres: '301' },
    'poleMetres',
    'Escribe los metros, de 0 a 300, con un decimal si acaso.',
  ],
  ['case.note', { note: '' }, 'note', 'Escribe la nota.'],
])('%s refuses %o under its field', (intent, sent, field, words) => {
  const issues = caseInput[intent]
    .safeParse(sent)
    .error?.issues.map(({ message, path }) => [path[0], message])
  expect(issues).toEqual([[field, words]])
})

test('accepts a folio of a quote or a visit in any case and spacing', () => {
  const schema = casesInput['cases.open']
  const input = { kind: 'name_change' }
  expect(schema.parse({ ...input, folio: ' cot-2026-00012 ' })).toMatchObject({ folio: 'COT-2026-00012' })
  for (const folio of ['', 'GES-2026-00001', 'COT-26-1'])
    expect(schema.safeParse({ ...input, folio }).error?.issues[0]?.path).toEqual(['folio'])
})

import { expect, test } from 'vitest'
import { caseInput, casesInput } from '../../src/domain/cfe/schema.ts'

const seen = '0198c5a0-7c1e-7d7e-9c55-0a1b2c3d4e5f'
const move = { intent: 'case.move', move: 'hold', version: '3', reason: 'Falta algo.' }
const facts = { intent: 'case.facts', version: '1', serviceNumber: '123 456 789-012', poleMetres: '35,5' }

test.each([
  [move, { move: 'hold', version: 3, correctedBy: null, requestNumber: null }],
  [
    { ...move, move: 'close', reason: '' },
    { move: 'close', reason: null },
  ],
  [{ ...move, move: 'observe', correctedBy: 'gester' }, { correctedBy: 'gester' }],
  [{ intent: 'case.return', paper: 'bill', seen, reason: 'Borroso.' }, { reason: 'Borroso.' }],
  [
    { intent: 'case.validate', paper: 'bill', seen },
    { paper: 'bill', reason: null },
  ],
  [facts, { serviceNumber: '123456789012', poleMetres: 35.5, isThreePhase: false, holderName: null }],
  [{ ...facts, isThreePhase: 'on' }, { isThreePhase: true }],
])('%o is a form of a case', (sent, read) => {
  expect(caseInput.parse(sent)).toMatchObject(read)
})

test.each([
  [{ ...move, reason: ' ' }, 'reason', 'Escribe por qué.'],
  [{ ...move, move: 'observe' }, 'correctedBy', 'Elige quién lo corrige.'],
  [{ ...move, move: 'fly' }, 'move', 'Este formulario ya no sirve. Vuelve a abrir la página.'],
  [{ intent: 'case.return', paper: 'bill', seen }, 'reason', 'Escribe qué hay que corregir.'],
  [{ ...facts, serviceNumber: '1234' }, 'serviceNumber', 'El número de servicio tiene 12 dígitos.'],
  [
    ...([{ ...facts, poleMetres: '301' }, 'poleMetres'] as const),
    'Escribe los metros, de 0 a 300, con un decimal si acaso.',
  ],
  [{ intent: 'case.note', note: '' }, 'note', 'Escribe la nota.'],
])('%o is told what is wrong, at its field', (sent, field, words) => {
  const issues = caseInput.safeParse(sent).error?.issues.map(({ message, path }) => [path[0], message])
  expect(issues).toEqual([[field, words]])
})

test('a folio is taken as people type it', () => {
  const wish = { intent: 'cases.open', kind: 'name_change' }
  expect(casesInput.parse({ ...wish, folio: ' cot-2026-00012 ' })).toMatchObject({ folio: 'COT-2026-00012' })
  for (const folio of ['', 'GES-2026-00001', 'COT-26-1'])
    expect(casesInput.safeParse({ ...wish, folio }).error?.issues[0]?.path).toEqual(['folio'])
})

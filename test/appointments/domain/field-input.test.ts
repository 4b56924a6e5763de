import {
  type ClosingReason,
  closingReasonCodes,
  closingWords,
  fieldReasons,
  reasonToCustomer,
} from '../../../src/appointments/rules/appointment.ts'
import { closingInput } from '../../../src/appointments/rules/ends-schema.ts'
import { fieldInput } from '../../../src/appointments/rules/schema.ts'
import { undoneWords, undoText } from '../../../src/appointments/rules/undo.ts'
import { blocksUndo, isHard, type ReasonCode, reasons } from '../../../src/scheduling/rules/eligibility.ts'

const read = (move: 'finish' | 'callOff' | 'noShow', form: Record<string, unknown>) => {
  const { data, error } = fieldInput[move].safeParse(form)
  return data ?? Object.fromEntries(error!.issues.map(({ message, path }) => [path.join('.'), message]))
}
const note = 'Todo quedó listo'

test('an end without an outcome is a complete one, without a reason, its note optional up to 2000 characters', () => {
  const completed = { outcome: 'completed', reason: null, closingNote: note }
  expect(read('finish', { closingNote: note })).toEqual(completed)
  expect(read('finish', { ...completed, reason: 'clima' })).toEqual(completed)
  expect(read('finish', {})).toEqual({ ...completed, closingNote: null })
  expect(read('finish', { closingNote: 'x'.repeat(2001) })).toHaveProperty('closingNote')
})

test.each(['partial', 'not_possible'])('%s requires a reason, and a note for another reason', (outcome) => {
  expect(read('finish', { outcome })).toEqual({ reason: 'Elige por qué no se completó.' })
  expect(read('finish', { outcome, reason: 'mal' })).toEqual({ reason: 'Elige un motivo.' })
  const form = { outcome, reason: 'clima' }
  expect(read('finish', form)).toEqual({ ...form, closingNote: null })
  expect(read('finish', { outcome, reason: 'otro', closingNote: 'corta' })).toEqual({
    closingNote: 'Cuenta cómo quedó, con al menos 10 caracteres.',
  })
})

test('calling off requires a reason, and a note for another reason', () => {
  expect(read('callOff', {})).toEqual({ reason: 'Elige un motivo.' })
  expect(read('callOff', { reason: 'otro', note: 'corta' })).toHaveProperty('note')
  expect(read('callOff', { reason: 'clima' })).toEqual({ reason: 'clima', note: null })
})

test('a no-show requires a call and its time', () => {
  expect(read('noShow', {})).toEqual({
    called: 'Antes de cerrarla, intenta llamarle.',
    calledAt: 'Llámale desde aquí, o escribe a qué hora llamaste, como 10:20 a. m.',
  })
  for (const calledAt of ['25:00', 'nada', '10', {}])
    expect(read('noShow', { called: 'yes', calledAt })).toHaveProperty('calledAt')
  const called = { called: true, calledAt: 620, note: null }
  expect(read('noShow', { called: 'yes', calledAt: ' 10:20 ' })).toEqual(called)
})

test('every reason is one of a visit or of a call', () => {
  const calls = fieldReasons(true)
  const visits = fieldReasons(false)
  expect(new Set([...calls, ...visits])).toEqual(new Set(closingReasonCodes))
  expect(calls).not.toContain('clima')
  expect(visits).not.toContain('analista_no_disponible')
})

test('another reason requires a note of ten characters', () => {
  for (const reason of closingReasonCodes)
    expect(closingInput.safeParse({ reason, note: '' }).success).toBe(reason !== 'otro')
  expect(closingInput.safeParse({ reason: 'otro', note: ' poco    ' }).error?.issues).toMatchObject([
    { path: ['note'], message: 'Cuenta por qué, con al menos 10 caracteres.' },
  ])
  expect(closingInput.safeParse({ reason: 'otro', note: 'Se fue la luz' }).success).toBe(true)
  expect(closingInput.safeParse({ reason: 'porque sí' }).error?.issues[0]?.message).toBe('Elige un motivo.')
})

test('shows a reason with its note', () => {
  expect(closingWords({ reason: 'clima', note: null })).toBe('Clima')
  expect(closingWords({ reason: 'otro', note: 'Se fue la luz' })).toBe('Otro motivo: Se fue la luz')
})

test.each<[ClosingReason, string]>([
  ['cliente_no_disponible', 'No podías a esa hora'],
  ['cliente_se_arrepiente', 'Ya no la querías'],
  ['analista_no_disponible', 'Tu analista no estaba disponible'],
])('shows %s to the customer as "%s"', (code, words) => expect(reasonToCustomer(code)).toBe(words))

test('shows an absence at a visit otherwise than at a call', () => {
  expect(reasonToCustomer('cliente_no_disponible', 'technical_visit')).toBe('No hubo quien nos recibiera')
  expect(reasonToCustomer('cliente_no_disponible', 'videocall')).toBe('No podías a esa hora')
  expect(reasonToCustomer('clima', 'installation')).toBe('Clima')
})

test('never calls the customer by their role', () => {
  for (const code of closingReasonCodes)
    expect(reasonToCustomer(code)).not.toMatch(/cliente|^(El|La) (técnico|analista)/i)
})

const codes = Object.keys(reasons) as ReasonCode[]
const byOthers: ReasonCode[] = ['daily_max', 'travel_before', 'travel_after']

test.each(codes)('%s blocks an undo when it is hard, or due to other visits without a reason', (code) => {
  const hard = isHard({ code })
  expect(blocksUndo({ code }, false)).toBe(hard || byOthers.includes(code))
  expect(blocksUndo({ code }, true)).toBe(hard)
})

test('writes the changes that a toast carries', () => {
  expect(
    undoText([
      { id: 'a', version: 2 },
      { id: 'b', version: 7 },
    ]),
  ).toBe('a:2,b:7')
  expect(undoText([{ id: 'c', version: 3, of: 'cuenta' }])).toBe('cuenta:c:3')
})

test.each([
  [1, [], 'Quedó como estaba. Nadie recibió aviso.'],
  [3, [], '3 citas quedaron como estaban. Nadie recibió aviso.'],
  [0, ['Ya salió.'], 'Ya salió.'],
  [0, ['Ya salió.', 'Ya salió.'], 'Ya salió.'],
  [2, ['Ya salió.'], '2 citas quedaron como estaban. De 1 ya no se pudo: Ya salió.'],
])('shows %i undone and refused %j', (undone, why, words) => {
  expect(undoneWords(undone, why)).toBe(words)
})

import { expect, test } from 'vitest'
import { undoneWords, undoText } from '../../../src/domain/appointments/undo.ts'
import { blocksUndo, isHard, type ReasonCode, reasons } from '../../../src/domain/scheduling/eligibility.ts'

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

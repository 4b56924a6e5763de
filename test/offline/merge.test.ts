import { expect, test } from 'vitest'
import { merge } from '../../src/web/offline/merge.ts'
import { byAppointment } from '../../src/web/offline/outbox-panel.tsx'
import { emptyPhone } from '../../src/web/offline/phone-state.ts'
import { noRows, type StoredRows } from '../../src/web/offline/rows.ts'
import { shownAlready } from '../../src/web/offline/send-order.ts'
import { itemsOf } from '../../src/web/reports/outbox-items.ts'
import { answer, minuteAt, photo, refused, sheet, step } from './rows.ts'

const seen = (of: Partial<StoredRows>, on = sheet(), pictures = new Map<string, string>()) =>
  merge(on, { ...noRows, ...of }, null, pictures)
const stored = (id: string, minute: number) => ({
  id,
  slot: 'facade',
  sha256: id,
  sentSha256: id,
  width: 1600,
  height: 1200,
  keptBecause: null,
  capturedAt: new Date(minuteAt(minute)),
  arrivedAt: new Date(minuteAt(minute + 1)),
})

test('what was written here stands over what the server has, of this appointment alone', () => {
  const on = sheet({
    answers: { supply: { value: 'one', revision: 1 }, notes: { value: 'kept', revision: 3 } },
  })
  const { answers, waiting } = seen(
    {
      answers: [answer('supply', 1, { base: 1, value: 'two' }), answer('supply', 1, { appointmentId: 'b' })],
    },
    on,
  )
  expect([answers, waiting]).toEqual([{ supply: 'two', notes: 'kept' }, 1])
})

test('an answer that was sent stands until the page has it, also after the office changed it again', () => {
  const row = answer('supply', 1, { base: 2, value: 'mine', state: 'sent' })
  const at = (revision: number) => sheet({ answers: { supply: { value: 'server', revision } } })
  expect(seen({ answers: [row] }, at(1))).toMatchObject({ answers: { supply: 'mine' }, waiting: 0 })
  expect(seen({ answers: [row] }, at(2)).answers).toEqual({ supply: 'server' })
  expect(shownAlready(at(1), { answers: [row], files: [], moves: [] }).answers).toEqual([])
  expect(shownAlready(at(2), { answers: [row], files: [], moves: [] }).answers).toEqual([row])
})

test('a conflict names both, and shows mine until it is settled', () => {
  const conflict = { value: 'theirs', revision: 4, by: 'Ana', at: minuteAt(9) }
  const { answers, conflicts } = seen({ answers: [answer('supply', 1, { value: 'mine', conflict })] })
  expect(answers).toEqual({ supply: 'mine' })
  expect(conflicts).toEqual([
    {
      name: 'supply',
      mine: 'mine',
      theirs: 'theirs',
      revision: 4,
      by: 'Ana',
      own: false,
      at: new Date(minuteAt(9)),
    },
  ])
})

test('a refused answer says why under its name', () => {
  expect(seen({ answers: [answer('supply', 1, refused)] }).refused).toEqual({ supply: 'Porque no.' })
})

test('of one slot the picture taken last is shown, wherever it is', () => {
  const on = sheet({ files: [stored('old', 1)] })
  const here = new Map([['new', 'blob:new']])
  expect(seen({ files: [photo('new', 5)] }, on, here).files).toMatchObject([
    { id: 'new', url: 'blob:new', fullUrl: 'blob:new', status: 'waiting' },
  ])
  expect(seen({ files: [photo('older', 0)] }, on).files).toMatchObject([{ id: 'old', status: 'stored' }])
})

test('a picture that is sent is stored, and its row goes once the page has it or a later one', () => {
  const row = photo('p', 5, { state: 'sent' })
  expect(seen({ files: [row] }).files).toMatchObject([{ id: 'p', status: 'stored', url: '/files/p/list' }])
  for (const there of [stored('p', 5), stored('later', 6)])
    expect(shownAlready(sheet({ files: [there] }), { answers: [], files: [row], moves: [] }).files).toEqual([
      row,
    ])
})

test('a picture taken away is not shown, before and after the server heard of it', () => {
  const on = sheet({ files: [stored('p', 1)] })
  for (const state of ['waiting', 'sent'] as const)
    expect(seen({ files: [photo('p', 2, { isDrop: true, state })] }, on).files).toEqual([])
})

test('the handing in waits for what its author decides, names it, and is none once it was refused', () => {
  const submit = step('submit', 9)
  expect(seen({ moves: [step('start', 1, refused), submit] })).toMatchObject({
    moves: [],
    delivery: { state: 'waiting', heldBy: [] },
    refusedMoves: [{ id: 'start-1', move: 'start', description: 'Porque no.' }],
  })
  const conflict = { value: 'theirs', revision: 4, by: 'Ana', at: minuteAt(9) }
  const held = {
    answers: [answer('supply', 1, refused), answer('tenure', 2, { conflict })],
    files: [photo('p', 3, refused)],
  }
  expect(seen({ ...held, moves: [submit] }).delivery).toMatchObject({
    state: 'held',
    heldBy: [
      { section: 'medidor', name: 'supply', message: 'Porque no.' },
      { section: 'lugar', name: 'tenure' },
      { section: 'lugar', name: 'facade', message: 'Porque no.' },
    ],
  })
  expect(seen({ ...held, moves: [step('submit', 9, { state: 'sent' })] }).delivery?.state).toBe('sent')
  expect(seen({ moves: [step('submit', 9, refused)] })).toMatchObject({ delivery: null })
})

test('a report counts what waits as the list of what is to be sent does', () => {
  const rows = {
    ...noRows,
    answers: [answer('supply', 1), answer('tenure', 2), answer('notes', 3, { state: 'sent' })],
    files: [photo('f', 4), photo('g', 5, { state: 'sent' })],
    moves: [step('start', 6), step('submit', 7)],
  }
  expect(seen(rows).waiting).toBe(itemsOf({ ...emptyPhone, rows }).length)
  expect(seen(rows).waiting).toBe(4)
})

test('what waits is told by appointment, with its customer where a row says', () => {
  const of = { appointmentId: 'b', folio: 'VT-2026-00002', customer: 'Ana Demo' }
  const items = itemsOf({
    ...emptyPhone,
    rows: {
      ...noRows,
      answers: [answer('supply', 1, of)],
      files: [photo('f', 4), photo('g', 5, of)],
      moves: [step('start', 6)],
    },
  })
  const told = byAppointment(items).map((some) =>
    some.map(({ customer, folio, words }) => [folio, customer, words]),
  )
  expect(told).toEqual([
    [
      ['VT-2026-00001', undefined, 'Inicio de la cita'],
      ['VT-2026-00001', undefined, 'Fachada'],
    ],
    [
      ['VT-2026-00002', 'Ana Demo', '1 respuesta'],
      ['VT-2026-00002', 'Ana Demo', 'Fachada'],
    ],
  ])
})

test('steps count until one that was refused', () => {
  const moves = [step('setOut', 1), step('start', 2, refused), step('pause', 3)]
  expect(seen({ moves })).toMatchObject({ moves: [{ move: 'setOut' }], waiting: 3 })
})

test('a signature falls here as soon as an answer changes after it, and stands again once it is given again', () => {
  const signed = { ...stored('s', 5), slot: 'signature_customer' }
  const on = sheet({ files: [signed], answers: { supply: { value: 'two', revision: 1 } } })
  const change = (minute: number, value: string) => [answer('supply', minute, { base: 1, value })]
  const fell = seen({ answers: change(6, 'one') }, on)
  expect([fell.fallen, fell.files]).toEqual([['signature_customer'], []])
  // What was changed before it, or says what stands, was signed.
  expect(seen({ answers: change(4, 'one') }, on).fallen).toEqual([])
  expect(seen({ answers: change(6, 'two') }, on).fallen).toEqual([])
  const again = photo('again', 7, { slot: 'signature_customer' })
  const stands = seen({ answers: change(6, 'one'), files: [again] }, on)
  expect([stands.fallen, stands.files.map(({ id }) => id)]).toEqual([[], ['again']])
})

test('a signature that the server says fell is asked for until there is another', () => {
  const on = sheet({ fallen: ['signature_customer'] })
  expect(seen({}, on).fallen).toEqual(['signature_customer'])
  expect(seen({ files: [photo('again', 7, { slot: 'signature_customer' })] }, on).fallen).toEqual([])
})

test('an end by a form ends the screen until the server refuses it, with what was typed', () => {
  const form = { reason: 'clima', note: 'Llueve mucho.' }
  const end = step('callOff', 4, { form })
  expect(seen({ moves: [step('setOut', 1), end] })).toMatchObject({
    moves: [{ move: 'setOut' }],
    ended: { move: 'callOff' },
    delivery: null,
  })
  expect(seen({ moves: [{ ...end, ...refused }] })).toMatchObject({
    ended: null,
    refusedMoves: [{ move: 'callOff', form }],
  })
})

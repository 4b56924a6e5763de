import { randomUUID } from 'node:crypto'
import { keptDay } from '../../src/appointments/screens/day/next-stop.tsx'
import { asOnPhone, lateIn, stepsIn } from '../../src/appointments/screens/day/phone-steps.ts'
import { merge } from '../../src/offline/merge.ts'
import { type OfflineStore, reread } from '../../src/offline/outbox/offline-store.ts'
import { interpretResponse } from '../../src/offline/outbox/outbox.ts'
import { itemsOf } from '../../src/offline/outbox/outbox-items.ts'
import { byAppointment } from '../../src/offline/outbox/outbox-panel.tsx'
import { createPhoneState, emptyPhone } from '../../src/offline/outbox/phone-state.ts'
import { type FileRow, noRows, type StoredRows } from '../../src/offline/outbox/rows.ts'
import { shownAlready } from '../../src/offline/outbox/send-order.ts'
import type { Database } from '../../src/offline/outbox/store.ts'
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

test('shows the phone’s answers over the server’s, of the same appointment only', () => {
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

test('shows a sent answer until the page has it or a later one', () => {
  const row = answer('supply', 1, { base: 2, value: 'mine', state: 'sent' })
  const at = (revision: number) => sheet({ answers: { supply: { value: 'server', revision } } })
  expect(seen({ answers: [row] }, at(1))).toMatchObject({ answers: { supply: 'mine' }, waiting: 0 })
  expect(seen({ answers: [row] }, at(2)).answers).toEqual({ supply: 'server' })
  expect(shownAlready(at(1), { answers: [row], files: [], moves: [] }).answers).toEqual([])
  expect(shownAlready(at(2), { answers: [row], files: [], moves: [] }).answers).toEqual([row])
})

test('shows a conflict with both answers, and the phone’s until it is settled', () => {
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

test('shows the reason of a refused answer under its name', () => {
  expect(seen({ answers: [answer('supply', 1, refused)] }).refused).toEqual({ supply: 'Porque no.' })
})

test('shows the latest picture of a slot, from the phone or the server', () => {
  const on = sheet({ files: [stored('old', 1)] })
  const here = new Map([['new', 'blob:new']])
  expect(seen({ files: [photo('new', 5)] }, on, here).files).toMatchObject([
    { id: 'new', url: 'blob:new', fullUrl: 'blob:new', status: 'waiting' },
  ])
  expect(seen({ files: [photo('older', 0)] }, on).files).toMatchObject([{ id: 'old', status: 'stored' }])
})

test('shows a sent picture as stored, and drops its row once the page has it or a later one', () => {
  const row = photo('p', 5, { state: 'sent' })
  expect(seen({ files: [row] }).files).toMatchObject([{ id: 'p', status: 'stored', url: '/files/p/list' }])
  for (const there of [stored('p', 5), stored('later', 6)])
    expect(shownAlready(sheet({ files: [there] }), { answers: [], files: [row], moves: [] }).files).toEqual([
      row,
    ])
})

test('shows the sent picture of a slot with a doubtful one, whose report waits for its author', () => {
  const look = { blurred: true, dark: false, tooSmall: false }
  const files = [photo('old', 1), photo('new', 2, { look })]
  expect(seen({ files, moves: [step('submit', 9)] })).toMatchObject({
    files: [{ id: 'old' }],
    raw: [{ id: 'new', verdict: look }],
    delivery: { heldBy: [{ name: 'facade' }] },
  })
})

test('hides a removed picture before and after it is sent', () => {
  const on = sheet({ files: [stored('p', 1)] })
  for (const state of ['waiting', 'sent'] as const)
    expect(seen({ files: [photo('p', 2, { isDrop: true, state })] }, on).files).toEqual([])
})

test('holds a report for conflicts and refusals, names them, and drops a refused one', () => {
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

test('says how much of the day a phone still lacks, and which stops it has', async () => {
  const id = randomUUID()
  const here = `/admin/appointments-pending/${id}`
  const partly = `/admin/appointments-pending/${randomUUID()}`
  const list = {
    pages: ['/admin', here, partly, `${partly}?seccion=tablero`],
    pictures: ['/files/1/list'],
  }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => ({}) } })
  const kept = ['/admin', here, partly]
  const match = async (path: string) => (path === '/onsite/day' ? Response.json(list) : kept.includes(path))
  vi.stubGlobal('caches', { match })
  const first = { words: 'Descargando tu día: 3 de 5. No te vayas todavía.', isWhole: false }
  expect(await keptDay()).toEqual({ ...first, stops: [id] })
  kept.push(...list.pages, ...list.pictures)
  expect(await keptDay()).toMatchObject({ isWhole: true, stops: { length: 2 } })
})

test('counts what waits in a report as the outbox does', () => {
  const rows = {
    ...noRows,
    answers: [answer('supply', 1), answer('tenure', 2), answer('notes', 3, { state: 'sent' })],
    files: [photo('f', 4), photo('g', 5, { state: 'sent' })],
    moves: [step('start', 6), step('submit', 7)],
  }
  expect(seen(rows).waiting).toBe(itemsOf({ ...emptyPhone, rows }).length)
  expect(seen(rows).waiting).toBe(4)
})

test('groups what waits by appointment, with its customer where known', () => {
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

test('ignores steps after a refused one', () => {
  const moves = [step('setOut', 1), step('start', 2, refused), step('pause', 3)]
  expect(seen({ moves })).toMatchObject({ moves: [{ move: 'setOut' }], waiting: 3 })
})

test('ends a signature when an answer changes after it, until it is given again', () => {
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

test('asks for a signature that the server rejected until there is another', () => {
  const on = sheet({ fallen: ['signature_customer'] })
  expect(seen({}, on).fallen).toEqual(['signature_customer'])
  expect(seen({ files: [photo('again', 7, { slot: 'signature_customer' })] }, on).fallen).toEqual([])
})

test('shows an end by a form until the server refuses it with what was typed', () => {
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

/** A phone without its browser: the rows and pictures that it holds. */
function phoneWith(files: FileRow[], blobs: Record<string, Blob>) {
  const database = {
    getAllFromIndex: async (store: string) => (store === 'files' ? files : []),
    get: async (_: string, id: string) => (blobs[id] ? { id, blob: blobs[id] } : undefined),
  }
  const state = createPhoneState()
  const phone = { personId: 'technician', database: database as unknown as Database, state }
  return { state, reread: () => reread(phone as unknown as OfflineStore) }
}

test('a picture that was sent is still shown from the phone, one that browsers can’t show from the server', async () => {
  const files = [photo('jpeg', 1), photo('heic', 2, { slot: 'garage' })]
  const blobs: Record<string, Blob> = {
    jpeg: new Blob(['a'], { type: 'image/jpeg' }),
    heic: new Blob(['b'], { type: 'image/heic' }),
  }
  const phone = phoneWith(files, blobs)
  const shown = () => [...phone.state.get().pictures.keys()]
  await phone.reread()
  expect(shown()).toEqual(['jpeg', 'heic'])
  for (const file of files) file.state = 'sent'
  for (const id of Object.keys(blobs)) delete blobs[id]
  await phone.reread()
  expect(shown()).toEqual(['jpeg'])
})

const sent = { state: 'sent' } as const

test.each([
  ['nothing', [], 'assigned', undefined],
  ['a step that waits', [step('start', 1)], 'in_progress', true],
  ['a step that the server has, and the page does not', [step('start', 1, sent)], 'in_progress', false],
  ['a report handed in', [step('start', 1, sent), step('submit', 2)], 'done', true],
  ['a report alone', [step('submit', 1)], 'done', true],
  ['a report that was refused', [step('start', 1), step('submit', 2, refused)], 'in_progress', true],
  [
    'a step after running late was refused',
    [step('runLate', 1, refused), step('start', 2)],
    'in_progress',
    true,
  ],
  ['running late alone', [step('runLate', 1)], 'assigned', undefined],
  ['a step that was refused', [step('start', 1, refused), step('pause', 2)], 'assigned', undefined],
] as const)('a list shows %s as the phone has it', (_, moves, state, isUnsent) => {
  const rows = [
    { id: 'a', state: 'assigned' as const },
    { id: 'b', state: 'assigned' as const },
  ]
  const [own, other] = asOnPhone(rows, stepsIn(moves))
  expect(own).toEqual({ id: 'a', state, ...(isUnsent !== undefined && { isUnsent }) })
  expect(other).toBe(rows[1])
})

const late = (minutes: string, nth: number, more: Parameters<typeof step>[2] = {}) =>
  step('runLate', nth, { form: { minutes }, ...more })

test.each([
  ['nothing', [step('setOut', 1)], undefined],
  ['a notice that waits', [late('15', 1)], { minutes: 15, isWaiting: true }],
  ['the last of several', [late('60', 2), late('15', 1, sent)], { minutes: 60, isWaiting: true }],
  [
    'one that the server has, and the page does not',
    [late('30', 1, sent)],
    { minutes: 30, isWaiting: false },
  ],
  ['one taken back before it was sent', [late('15', 1), late('0', 2)], { minutes: 0, isWaiting: true }],
  ['not one that was refused', [late('15', 1), late('30', 2, refused)], { minutes: 15, isWaiting: true }],
  ['not one of another stop', [late('15', 1, { appointmentId: 'b' })], undefined],
] as const)('how late one is shows %s', (_, moves, told) => {
  expect(lateIn(moves, 'a')).toEqual(told)
})

const heard = (status: number, body: unknown = {}, retryAfter: string | null = null) => ({
  status,
  body,
  retryAfter,
})
const said = { code: 'failed-precondition', title: 'No se puede', description: 'La cita cambió.' }

test.each([
  ['no answer', null, { kind: 'later', after: null }],
  ['a server that starts', heard(503, null, '2'), { kind: 'later', after: 2000 }],
  ['too many at once', heard(429, said), { kind: 'later', after: null }],
  ['a bug', heard(500, said), { kind: 'later', after: null }],
  ['a page of somebody in between', heard(200, null), { kind: 'later', after: null }],
  ['a redirect of somebody in between', heard(302, null), { kind: 'later', after: null }],
  ['taken', heard(200, { stored: true }), { kind: 'taken', body: { stored: true } }],
  ['a session that ended', heard(401, said), { kind: 'signed-out' }],
  ['somebody else', heard(403, { ...said, code: 'other-person' }), { kind: 'other-person' }],
  ['the rules', heard(409, { ...said, details: 1 }), { kind: 'refused', problem: said }],
  ['the content', heard(400, said), { kind: 'refused', problem: said }],
  ['too large', heard(413, said), { kind: 'refused', problem: said }],
  [
    'an appointment that is somebody else’s now',
    heard(404, said),
    { kind: 'refused', problem: { code: 'not-found', title: 'Esta cita ya no es tuya' } },
  ],
  [
    'a refusal without words',
    heard(418, null),
    { kind: 'refused', problem: { code: '418', title: 'No se pudo enviar' } },
  ],
])('%s', (_what, answer, verdict) => {
  expect(interpretResponse(answer)).toMatchObject(verdict)
})

import { isAside } from '../../appointments/rules/field-steps.ts'
import { isSignature, noShowSlot } from '../../reports/rules/photos.ts'
import type { AnswerValue, Sheet } from '../../reports/rules/report.ts'
import { type DraftFile, SamePicture } from '../draft.ts'
import { keptAnew } from '../worker.ts'
import { change, type OfflineStore } from './offline-store.ts'
import {
  type AnswerRow,
  asideFormat,
  type DraftMove,
  endFormat,
  type FileRow,
  format,
  type MoveRow,
  newestFormat,
  type Typed,
  type TypedRow,
} from './rows.ts'
import { isUnsent, shownAlready } from './send-order.ts'
import { putFile, removeFile } from './store.ts'

/** The appointment that something belongs to, and who it is for, where the screen says. */
export type WorkRef = Pick<Sheet, 'appointmentId' | 'folio'> & { customer?: string | undefined }

/** Where what belongs to no appointment is kept. */
export const ofNone: WorkRef = { appointmentId: '', folio: '' }

const rowOf = ({ personId }: OfflineStore, { appointmentId, customer, folio }: WorkRef) => ({
  v: format,
  personId,
  appointmentId,
  folio,
  customer,
  at: new Date().toISOString(),
  state: 'waiting' as const,
  problem: null,
})

/** Keeps an answer, over the revision that its author saw. */
export const writeAnswer = (
  phone: OfflineStore,
  place: WorkRef,
  { isMeasured, name, seen, value, typed }: Writing,
) =>
  change(phone, async (database) => {
    const writing = database.transaction(['answers', 'typed'], 'readwrite')
    const answers = writing.objectStore('answers')
    const before = await answers.get([phone.personId, place.appointmentId, name])
    const base = before?.state === 'sent' ? Math.max(before.base, seen) : (before?.base ?? seen)
    const earlier = isMeasured && before ? { earlier: unsentIn(before) } : {}
    await answers.put({
      ...rowOf(phone, place),
      name,
      value,
      base,
      conflict: before?.conflict ?? null,
      ...earlier,
    })
    await putTyped(writing.objectStore('typed'), phone, place, name, typed)
    await writing.done
  })

/** The values of a measurement that the server does not have, the oldest first. */
const unsentIn = ({ at, earlier = [], state, value }: AnswerRow) =>
  state === 'sent' || value === null ? earlier : [...earlier, { value, at }]

/**
 * An answer over the revision `seen`; `typed` is the text of its boxes, where some of that is no answer yet. Of a
 * measurement every value is kept.
 */
type Writing = { name: string; value: AnswerValue; seen: number; typed: Typed | null; isMeasured: boolean }

/** Keeps what was typed and is no answer yet; null when it is empty. */
export const keepTyped = (phone: OfflineStore, place: WorkRef, name: string, typed: Typed | null) =>
  change(phone, async (database) => {
    const { done, store } = database.transaction('typed', 'readwrite')
    await putTyped(store, phone, place, name, typed)
    await done
  })

type TypedStore = {
  put: (row: TypedRow) => Promise<unknown>
  delete: (key: [string, string, string]) => Promise<unknown>
}

function putTyped(
  store: TypedStore,
  { personId }: OfflineStore,
  { appointmentId }: WorkRef,
  name: string,
  typed: Typed | null,
) {
  const at = new Date().toISOString()
  return typed === null
    ? store.delete([personId, appointmentId, name])
    : store.put({ v: format, personId, appointmentId, name, typed, at })
}

/** Resolves an answer that the office changed meanwhile. */
export const settleAnswer = (
  phone: OfflineStore,
  { appointmentId }: WorkRef,
  name: string,
  whose: 'mine' | 'theirs',
) =>
  change(phone, async (database) => {
    const { store, done } = database.transaction('answers', 'readwrite')
    const row = await store.get([phone.personId, appointmentId, name])
    if (row?.conflict) await store.put(settled(row, row.conflict, whose))
    await done
  })

const settled = (row: AnswerRow, { revision, value }: NonNullable<AnswerRow['conflict']>, whose: string) =>
  whose === 'mine'
    ? { ...row, base: revision, conflict: null, state: 'waiting' as const, problem: null }
    : { ...row, base: revision, conflict: null, state: 'sent' as const, problem: null, value }

/**
 * Keeps a photo or a signature in its current form, and replaces one that waits in the same slot; `others` are the
 * pictures of its sheet. A raw one is not sent until it was checked. Answers its id.
 */
export async function addPicture(
  phone: OfflineStore,
  place: WorkRef,
  slot: string,
  picture: Blob,
  keptBecause: string | null,
  others: readonly Pick<DraftFile, 'slot' | 'sha256'>[],
  { isRaw = false, takenAt }: { isRaw?: boolean; takenAt?: string | undefined } = {},
) {
  const sha256 = await pictureDigest(picture)
  const twin = isSignature(slot)
    ? undefined
    : others.find((file) => file.slot !== slot && file.sha256 === sha256)
  if (twin) throw new SamePicture(twin.slot)
  const row: FileRow = {
    ...rowOf(phone, place),
    ...(takenAt && { at: takenAt }),
    id: crypto.randomUUID(),
    slot,
    keptBecause,
    isDrop: false,
    sha256,
    bytes: picture.size,
    ...(isRaw && { v: newestFormat, look: 'due' }),
  }
  await putPicture(phone, row, picture)
  return row.id
}

/** A raw picture replaces only another raw one: what stands in its slot is sent unless this one is kept. */
export async function putPicture(phone: OfflineStore, row: FileRow, picture: Blob | null) {
  const { sending, rows } = phone.state.get()
  const replaced = rows.files.filter(
    (file) =>
      file.appointmentId === row.appointmentId &&
      file.slot === row.slot &&
      file.id !== row.id &&
      (row.look ? file.look : file.state !== 'sent' && file.id !== sending?.id),
  )
  await change(phone, async (database) => {
    await putFile(database, row, picture)
    for (const { id } of replaced) await removeFile(database, id)
  })
}

export async function pictureDigest(picture: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await picture.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Deletes a photo: from the phone when it was never sent, otherwise the server is asked to. */
export async function dropPicture(
  phone: OfflineStore,
  place: WorkRef,
  slot: string,
  id: string,
): Promise<void> {
  const { sending, rows } = phone.state.get()
  const own = rows.files.find((file) => file.id === id)
  const isHereOnly = own && own.state !== 'sent' && sending?.id !== id
  await change(phone, (database) =>
    isHereOnly
      ? removeFile(database, id)
      : putFile(
          database,
          { ...rowOf(phone, place), id, slot, keptBecause: null, isDrop: true, sha256: '', bytes: 0 },
          null,
        ),
  )
}

/**
 * Keeps a step of the appointment with the moment at which it was made, and has it sent. Pressed again while it
 * waits it is the same one; after a refusal a new one replaces it.
 */
export async function addMove(phone: OfflineStore, place: WorkRef, move: DraftMove): Promise<void> {
  await change(phone, async (database) => {
    const { store, done } = database.transaction('moves', 'readwrite')
    const all = await store.index('person').getAll(phone.personId)
    const open = all.filter((row) => row.appointmentId === place.appointmentId && isUnsent(row))
    const again = pressedAgain(open, move)
    const nth = again?.nth ?? Math.max(0, ...all.map((row) => row.nth)) + 1
    const id = again?.id ?? crypto.randomUUID()
    const row = { ...rowOf(phone, place), ...move, id, nth, v: formatOf(move) }
    if (again?.state !== 'waiting') await store.put(row)
    // What was refused in the same words is this one now.
    for (const old of isAside(move.move) ? open.filter((one) => one.id !== id && isRefusedAs(one, move)) : [])
      await store.delete(old.id)
    await done
  })
  phone.inputs.dispatchEvent(new Event('send'))
}

/** The oldest version that can send it reads it. */
const formatOf = ({ form, move }: DraftMove) => (isAside(move) ? asideFormat : form ? endFormat : format)

const isInSameWords = (row: DraftMove, { form, move }: DraftMove) =>
  row.move === move && JSON.stringify(row.form) === JSON.stringify(form)

const isRefusedAs = (row: MoveRow, move: DraftMove) => row.state === 'refused' && isInSameWords(row, move)

/**
 * Which of the open rows of an appointment, or of none, is what is pressed now. An aside is the same one only in the same
 * words, and with no other request after it.
 */
export function pressedAgain(open: readonly MoveRow[], pressed: DraftMove): MoveRow | undefined {
  const inOrder = open.toSorted((one, other) => one.nth - other.nth)
  if (isAside(pressed.move)) {
    const last = inOrder.filter(({ move }) => isAside(move)).at(-1)
    return last && isInSameWords(last, pressed) ? last : undefined
  }
  const last = inOrder.at(-1)
  return last?.move === pressed.move
    ? last
    : open.find((row) => row.move === pressed.move && row.state === 'refused')
}

/** Lets everything that was refused, or one item, be sent again at once. */
export async function retry(phone: OfflineStore, id?: string): Promise<void> {
  const { answers, files, moves } = phone.state.get().rows
  const again = { state: 'waiting', problem: null } as const
  const isMeant = (row: { state: string; id?: string; appointmentId: string }) =>
    row.state === 'refused' && (id === undefined || row.id === id || row.appointmentId === id)
  await change(phone, async (database) => {
    for (const row of answers.filter(isMeant)) await database.put('answers', { ...row, ...again })
    for (const row of files.filter(isMeant)) await database.put('files', { ...row, ...again })
    for (const row of moves.filter(isMeant)) await database.put('moves', { ...row, ...again })
  })
  phone.inputs.dispatchEvent(new Event('send'))
}

/** Deletes what the server refused, when its author says so; its author also deletes what it blocked. */
export const discard = (phone: OfflineStore, id: string) =>
  change(phone, async (database) => {
    const { answers, files, moves } = phone.state.get().rows
    await removeFile(database, id)
    const move = moves.find((row) => row.id === id)
    if (move) await database.delete('moves', id)
    // Its photo says nothing without it.
    for (const file of move?.move === 'noShow' ? files : [])
      if (file.appointmentId === move?.appointmentId && file.slot === noShowSlot && isUnsent(file))
        await removeFile(database, file.id)
    for (const { appointmentId, name, personId, state } of answers)
      if (appointmentId === id && state === 'refused')
        await database.delete('answers', [personId, appointmentId, name])
  })

/** Deletes rows that a page shows from the server. */
export async function forgetShown(phone: OfflineStore, sheet: Sheet): Promise<void> {
  const { answers, files } = shownAlready(sheet, phone.state.get().rows)
  if (answers.length + files.length === 0) return
  await change(phone, async (database) => {
    for (const { appointmentId, name, personId } of answers)
      await database.delete('answers', [personId, appointmentId, name])
    for (const { id } of files) await removeFile(database, id)
  })
}

/**
 * Deletes what the server has confirmed, once the pages that this phone keeps show it too: without a network they
 * are what their author reads, and on a slow one what comes first.
 */
export async function forgetSent(phone: OfflineStore): Promise<void> {
  const { answers, files, moves } = phone.state.get().rows
  const gone = { answers: answers.filter(isSent), files: files.filter(isSent), moves: moves.filter(isSent) }
  const rows = [...gone.answers, ...gone.files, ...gone.moves]
  if (rows.length === 0 || !(await keptAnew(pagesOf(rows)))) return
  await change(phone, async (database) => {
    const { store, done } = database.transaction('answers', 'readwrite')
    for (const { appointmentId, at, name, personId } of gone.answers) {
      const now = await store.get([personId, appointmentId, name])
      // Written again meanwhile: that is still to be sent.
      if (now && isSent(now) && now.at === at) await store.delete([personId, appointmentId, name])
    }
    await done
    for (const { id } of gone.files) await removeFile(database, id)
    for (const { id } of gone.moves) await database.delete('moves', id)
  })
}

/** The pages that show these rows. */
const pagesOf = (rows: readonly { appointmentId: string }[]) => [
  ...[...new Set(rows.map(({ appointmentId }) => appointmentId))].flatMap((id) =>
    id === ofNone.appointmentId
      ? ['/admin/account']
      : (['pending', 'done'] as const).map((list) => `/admin/appointments-${list}/${id}`),
  ),
  '/admin',
  '/admin/appointments-pending',
]

const isSent = ({ state }: { state: string }) => state === 'sent'

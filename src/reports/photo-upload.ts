import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { lockForAuthor } from '../appointments/authorship.ts'
import { type Db, isId, type Tx, transaction } from '../platform/database/client.ts'
import { files } from '../platform/database/schema/appointments.ts'
import { announce } from '../platform/live/announcements.ts'
import type { BodyPart } from '../platform/storage/broken-uploads.ts'
import { type Drive, keysOf } from '../platform/storage/drive.ts'
import { dropped, keepOnly, takeShare } from '../platform/storage/keep.ts'
import type { Sizes } from '../platform/storage/picture-sizes.ts'
import { sizesOf } from '../platform/storage/pictures.ts'
import { type Received, receive } from '../platform/storage/receive.ts'
import { refuse } from '../shared/refusal.ts'
import { tidy } from '../shared/text.ts'
import { assertMayStore, refuseTwin, takeSlot } from './photo-slots.ts'
import { faultSlots, isSignature, largestFile, noShowSlot, shortestLongSide } from './rules/photos.ts'

/** A picture in an upload. */
type Incoming = {
  /** Created on the phone: sent again, it is the same picture. */
  id: string
  appointmentId: string
  slot: string
  /** The fault that it shows. */
  faultId?: string
  /** The digest of the sent bytes; null where the sender cannot compute it. */
  sha256: string | null
  capturedAt: Date
  /** The sender's reason to keep a small, blurred or dark picture. */
  keptBecause: string | null
  body: ReadableStream<Uint8Array> | null
  part?: BodyPart | undefined
}

const minute = 60_000

/** How far a phone's clock may be ahead. */
const aheadMs = 5 * minute

/** How long a picture may have waited on a phone. */
const oldestMs = 30 * 24 * 60 * minute
const longestReason = 300

/**
 * Stores a picture: its sizes on the drive first, then its row, so that a crash between leaves bytes that the sweep
 * removes, and a refusal leaves none. Of one slot the picture taken last stays, in whatever order they arrive. Sent
 * again, it is stored already.
 */
export async function storeFile(db: Db, drive: Drive, actor: Actor, sent: Incoming, now: Date) {
  judge(sent, now)
  const incoming = asKept(sent)
  if (await transaction(db, (tx) => isStored(tx, actor, incoming, incoming.sha256, now))) return
  const received = await receive(incoming.body, largestFile, undefined, incoming.part)
  try {
    if (incoming.sha256 !== null && incoming.sha256 !== received.sha256)
      refuse('invalid-argument', 'La foto llegó incompleta. Vuelve a enviarla.')
    await takeShare(db, drive, actor, received.bytes, now)
    const sizes = await sizesOf({ file: received.file, isSignature: isSignature(incoming.slot) }, actor.id)
    assertLarge(incoming, sizes)
    const stored = { ...incoming, sentSha256: received.sha256, ...sizes }
    await keep(db, drive, actor, stored, received, now)
    announce(db, { people: [] })
  } finally {
    await received.discard()
  }
}

/** The reasons against an upload, for its sender. */
function judge({ appointmentId, capturedAt, id, keptBecause, sha256 }: Incoming, now: Date) {
  if (!isId(appointmentId)) refuse('not-found')
  if (!isId(id) || (sha256 !== null && !/^[0-9a-f]{64}$/.test(sha256))) refuse('invalid-argument')
  const age = now.getTime() - capturedAt.getTime()
  if (!(age >= -aheadMs))
    refuse('invalid-argument', 'La foto dice que es de más tarde. Revisa la hora de tu teléfono.')
  if (age > oldestMs) refuse('invalid-argument', 'Esta foto tiene más de 30 días. Tómala de nuevo.')
  if (keptBecause !== null && keptBecause.length > longestReason)
    refuse('invalid-argument', `Di por qué la conservas con hasta ${longestReason} caracteres.`)
}

/** Ids as the database writes them, so that the row finds its bytes. */
const asKept = (sent: Incoming): Incoming => ({
  ...sent,
  id: sent.id.toLowerCase(),
  appointmentId: sent.appointmentId.toLowerCase(),
  keptBecause: tidy(sent.keptBecause) || null,
})

/**
 * Whether it is stored already; refuses it where it may not be stored. Checked before the work, and again with the row.
 */
async function isStored(tx: Tx, actor: Actor, incoming: Incoming, sha256: string | null, now: Date) {
  const held = await lockForAuthor(tx, actor, incoming.appointmentId)
  const [same] = await tx.select().from(files).where(eq(files.id, incoming.id))
  if (same && sha256 !== null) {
    const isTheSame = same.appointmentId === held.id && same.uploadedBy === actor.id
    if (isTheSame && same.sentSha256 === sha256) return true
    refuse('already-exists', 'Ya hay otra foto con ese número. Tómala de nuevo.')
  }
  await assertMayStore(tx, actor, held, incoming, now)
  if (sha256 !== null) await refuseTwin(tx, held, incoming.slot, sha256)
  return false
}

/** A photo that must be legible needs its pixels. A signature does not, nor does a photo of a fault or a no-show. */
function assertLarge({ keptBecause, slot }: Incoming, { height, width }: Sizes) {
  if (isSignature(slot) || faultSlots.includes(slot) || slot === noShowSlot || keptBecause) return
  if (Math.max(width, height) >= shortestLongSide) return
  refuse(
    'invalid-argument',
    `Esta foto mide ${width} × ${height} puntos y su lado largo necesita ${shortestLongSide}. Tómala de nuevo, o di por qué la conservas.`,
    { width, height },
  )
}

type Stored = Incoming & Sizes & { sentSha256: string }

/** Stores the bytes, and then the row; the bytes of a refused or replaced picture are removed. */
async function keep(
  db: Db,
  drive: Drive,
  actor: Actor,
  stored: Stored,
  { file }: Received,
  now: Date,
): Promise<void> {
  const [full, list] = await Promise.all([readFile(`${file}.full`), readFile(`${file}.list`)])
  const keys = keysOf(stored)
  await drive.put(keys.full, full, stored.fullType)
  await drive.put(keys.list, list, 'image/webp').catch(async (error) => {
    await dropped(() => drive.delete(keys.full))
    throw error
  })
  const { id, appointmentId, capturedAt, faultId = null, fullType, height, sentSha256, slot, width } = stored
  const row = {
    id,
    appointmentId,
    slot,
    faultId,
    sentSha256,
    type: fullType,
    width,
    height,
    capturedAt,
    keptBecause: stored.keptBecause,
    uploadedBy: actor.id,
    arrivedAt: now,
    sha256: createHash('sha256').update(full).digest('hex'),
    bytes: full.byteLength,
  }
  const change = () =>
    transaction(db, async (tx) => {
      if (await isStored(tx, actor, stored, sentSha256, now)) return []
      return takeSlot(tx, row, now)
    })
  await keepOnly({ db, drive }, Object.values(keys), change, (gone) => gone)
}

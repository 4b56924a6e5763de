import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import {
  faultSlots,
  isSignature,
  largestFile,
  noShowSlot,
  shortestLongSide,
} from '../../../domain/reports/photos.ts'
import { refuse } from '../../../domain/shared/refusal.ts'
import { tidy } from '../../../domain/shared/text.ts'
import { holdForAuthor } from '../../reports/taken-from.ts'
import { type Db, type Tx, transaction } from '../database/database.ts'
import { isId } from '../database/ids.ts'
import { files } from '../database/schema/sheet-schema.ts'
import { announce } from '../live/announcements.ts'
import { type Drive, keysOf } from './drive.ts'
import { keepOnly } from './keep-only.ts'
import type { Sizes } from './picture-sizes.ts'
import { sizesOf } from './pictures.ts'
import { type Received, receive } from './receive.ts'
import { demandMayStore } from './rights.ts'
import { takeShare } from './share.ts'
import { refuseTwin, takeSlot } from './slots.ts'

/** A picture that somebody sends. */
export type Incoming = {
  /** Made where it was taken: sent again, it is the same one. */
  id: string
  appointmentId: string
  slot: string
  /** Of the fault that it shows. */
  faultId?: string
  /** Of what is sent; null where the sender can't tell. */
  sha256: string | null
  capturedAt: Date
  /** Why it is kept although it is small, blurred or dark. */
  keptBecause: string | null
  body: ReadableStream<Uint8Array> | null
}

const minute = 60_000
/** A phone's clock may be ahead by as much. */
const aheadMs = 5 * minute
/** How long a picture may have waited in a phone. */
const oldestMs = 30 * 24 * 60 * minute
const longestReason = 300

/**
 * Takes a picture in: its sizes to the drive first, then its row, so that a crash between leaves bytes that the sweep takes
 * away, and a refusal none. Of one slot the picture taken last stays, in whatever order they come. Sent again, it is stored already.
 */
export async function storeFile(db: Db, drive: Drive, actor: Actor, sent: Incoming, now: Date) {
  judge(sent, now)
  const incoming = asKept(sent)
  if (await transaction(db, (tx) => isStored(tx, actor, incoming, incoming.sha256, now))) return
  const received = await receive(incoming.body, largestFile)
  try {
    if (incoming.sha256 !== null && incoming.sha256 !== received.sha256)
      refuse('invalid-argument', 'La foto llegó incompleta. Vuelve a enviarla.')
    await takeShare(db, drive, actor, received.bytes, now)
    const sizes = await sizesOf({ file: received.file, isSignature: isSignature(incoming.slot) }, actor.id)
    demandLarge(incoming, sizes)
    const stored = { ...incoming, sentSha256: received.sha256, ...sizes }
    await keep(db, drive, actor, stored, received, now)
    announce(db, { people: [] })
  } finally {
    await received.discard()
  }
}

/** What is wrong with it whoever sends it. */
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

/** Ids as the database writes them, so that the bytes are found again by its row. */
const asKept = (sent: Incoming): Incoming => ({
  ...sent,
  id: sent.id.toLowerCase(),
  appointmentId: sent.appointmentId.toLowerCase(),
  keptBecause: tidy(sent.keptBecause) || null,
})

/** Whether it is there; refuses it where it may not be stored. Asked before the work, and again with the row. */
async function isStored(tx: Tx, actor: Actor, incoming: Incoming, sha256: string | null, now: Date) {
  const held = await holdForAuthor(tx, actor, incoming.appointmentId)
  const [same] = await tx.select().from(files).where(eq(files.id, incoming.id))
  if (same && sha256 !== null) {
    const isTheSame = same.appointmentId === held.id && same.uploadedBy === actor.id
    if (isTheSame && same.sentSha256 === sha256) return true
    refuse('already-exists', 'Ya hay otra foto con ese número. Tómala de nuevo.')
  }
  await demandMayStore(tx, actor, held, incoming, now)
  if (sha256 !== null) await refuseTwin(tx, held, incoming.slot, sha256)
  return false
}

/** What has to be read from a photo needs its points. A signature does not, and what shows a fault, or that nobody was there, shows it as it is. */
function demandLarge({ keptBecause, slot }: Incoming, { height, width }: Sizes) {
  if (isSignature(slot) || faultSlots.includes(slot) || slot === noShowSlot || keptBecause) return
  if (Math.max(width, height) >= shortestLongSide) return
  refuse(
    'invalid-argument',
    `Esta foto mide ${width} × ${height} puntos y su lado largo necesita ${shortestLongSide}. Tómala de nuevo, o di por qué la conservas.`,
    { width, height },
  )
}

type Stored = Incoming & Sizes & { sentSha256: string }

/** To the drive, and then its row; what is refused, or taken the place of, is taken away again. */
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
    await drive.delete(keys.full)
    throw error
  })
  const { id, appointmentId, capturedAt, faultId = null, fullType, height, sentSha256, slot, width } = stored
  const row = {
    ...{ id, appointmentId, slot, faultId, sentSha256, type: fullType, width, height, capturedAt },
    ...{ keptBecause: stored.keptBecause, uploadedBy: actor.id, arrivedAt: now },
    ...{ sha256: createHash('sha256').update(full).digest('hex'), bytes: full.byteLength },
  }
  const change = () =>
    transaction(db, async (tx) => {
      if (await isStored(tx, actor, stored, sentSha256, now)) return []
      return takeSlot(tx, row, now)
    })
  await keepOnly({ db, drive }, Object.values(keys), change, (gone) => gone)
}

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Actor } from '../../../domain/access/actor.ts'
import { uploadShareOf } from '../../../domain/documents/document.ts'
import {
  faultSlots,
  isSignature,
  largestFile,
  noShowSlot,
  shortestLongSide,
} from '../../../domain/reports/photos.ts'
import { waitInWords } from '../../../domain/shared/format.ts'
import { Refusal, refuse } from '../../../domain/shared/refusal.ts'
import { tidy } from '../../../domain/shared/text.ts'
import { heldKeys } from '../../accounts/blocked-accounts.ts'
import { lockForAuthor } from '../../reports/rows.ts'
import { type Db, databaseFault, isId, queryRows, type Tx, transaction } from '../database/client.ts'
import { files } from '../database/schema/appointments.ts'
import { documents } from '../database/schema/payments.ts'
import { announce } from '../live/announcements.ts'
import { log } from '../telemetry/log.ts'
import type { Part } from './broken-uploads.ts'
import { type Drive, keysOf, paperKey } from './drive.ts'
import type { Sizes } from './picture-sizes.ts'
import { sizesOf } from './pictures.ts'
import { type Received, receive } from './receive.ts'
import { assertMayStore, refuseTwin, takeSlot } from './slots.ts'

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
  part?: Part | undefined
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

type Store = { db: Db; drive: Drive }

/**
 * Runs the change that needs bytes on the drive. If refused, they are removed, unless a current row names them; if
 * done, those no longer needed are removed. With an unknown outcome (the answer to a commit was lost) they are left to
 * the sweep.
 */
export async function keepOnly<Result>(
  { db, drive }: Store,
  keys: readonly string[],
  change: () => Promise<Result>,
  unneeded: (result: Result) => Promise<readonly string[]> | readonly string[],
): Promise<Result> {
  let result: Result
  try {
    result = await change()
  } catch (error) {
    if (isRefused(error)) await dropped(() => dropOrphans(db, drive, keys))
    throw error
  }
  await dropped(async () => dropOrphans(db, drive, await unneeded(result)))
  return result
}

const isRefused = (error: unknown) =>
  error instanceof Refusal || databaseFault(error).constraint !== undefined

/** The change stands, even if this fails. */
const dropped = (drop: () => Promise<unknown>) =>
  drop().catch((err) => log.warn({ err }, 'unneeded file not deleted, left to the sweep'))

const hourMs = 3_600_000

/**
 * Counts an upload in its sender's share of this hour, and refuses what does not fit in the share or on the disk.
 * Checked once all is received, before processing, so that a lost network costs nothing.
 */
export async function takeShare(db: Db, drive: Drive, actor: Actor, bytes: number, now: Date): Promise<void> {
  await drive.demandRoom(bytes)
  const share = uploadShareOf(actor)
  const [files, kilobytes] = [`uploads ${actor.id}`, `uploaded kilobytes ${actor.id}`]
  const sent = Math.ceil(bytes / 1024)
  const endsAt = new Date(now.getTime() + hourMs)
  // One statement: of any number at once exactly those that fit pass.
  const rows = await queryRows<[key: string, count: number, endsAt: Date]>(
    db,
    sql`insert into limits as kept (key, count, window_ends_at) values (${files}, 1, ${endsAt}), (${kilobytes}, ${sent}, ${endsAt})
    on conflict (key) do update set
      count = excluded.count + case when kept.window_ends_at <= ${now} then 0 else kept.count end,
      window_ends_at = case when kept.window_ends_at <= ${now} then excluded.window_ends_at else kept.window_ends_at end
    returning key, count, window_ends_at`,
  )
  const [full] = rows.filter(([key, count]) => count > (key === files ? share.files : share.kilobytes))
  if (!full) return
  await queryRows(
    db,
    sql`update limits set count = greatest(count - case when key = ${files} then 1 else ${sent} end, 0)
    where key in (${files}, ${kilobytes})`,
  )
  const wait = waitInWords((full[2].getTime() - now.getTime()) / 1000)
  throw new Refusal('resource-exhausted', {
    title: 'Muchos archivos seguidos',
    description: `Este no se guardó. Espera ${wait} y vuelve a enviarlo; todo lo demás funciona como siempre.`,
  })
}

/** Younger files may still wait for their row. */
const graceMs = 24 * 60 * 60 * 1000
const batch = 500

/**
 * Deletes files on the drive that belong to no current file or document and no blocked account: the remains of a crash
 * between bytes and row, or between row and bytes. Returns how many.
 */
export async function sweepFiles(db: Db, drive: Drive, now: Date): Promise<number> {
  let count = 0
  let old: string[] = []
  for await (const { at, key } of drive.all()) {
    if (now.getTime() - at.getTime() < graceMs) continue
    old.push(key)
    if (old.length < batch) continue
    count += await dropOrphans(db, drive, old)
    old = []
  }
  return count + (await dropOrphans(db, drive, old))
}

/** Deletes those of these keys that no current row and no blocked account names. Returns how many. */
async function dropOrphans(db: Db, drive: Drive, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0
  const ids = keys.map((key) => key.split('/')[1] ?? '').filter(isId)
  const [pictures, papers, blocked] = await Promise.all([
    db
      .select()
      .from(files)
      .where(and(inArray(files.id, ids), isNull(files.replacedAt))),
    db
      .select({ id: documents.id })
      .from(documents)
      .where(and(inArray(documents.id, ids), isNull(documents.replacedAt))),
    heldKeys(db, keys),
  ])
  const needed = new Set([
    ...pictures.flatMap((file) => Object.values(keysOf(file))),
    ...papers.map(paperKey),
    ...blocked,
  ])
  const orphans = keys.filter((key) => !needed.has(key))
  for (const key of orphans) await drive.delete(key)
  return orphans.length
}

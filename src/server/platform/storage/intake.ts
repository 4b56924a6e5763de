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
import { heldKeys } from '../../accounts/block.ts'
import { log } from '../../app/stop.ts'
import { lockForAuthor } from '../../reports/rows.ts'
import { type Db, databaseFault, isId, planned, type Tx, transaction } from '../database/client.ts'
import { files } from '../database/schema/appointments.ts'
import { documents } from '../database/schema/payments.ts'
import { announce } from '../live/announcements.ts'
import { type Drive, keysOf, paperKey } from './drive.ts'
import type { Sizes } from './picture-sizes.ts'
import { sizesOf } from './pictures.ts'
import { type Received, receive } from './receive.ts'
import { assertMayStore, refuseTwin, takeSlot } from './slots.ts'

/** A picture that a person sends. */
type Incoming = {
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
    assertLarge(incoming, sizes)
    const stored = { ...incoming, sentSha256: received.sha256, ...sizes }
    await keep(db, drive, actor, stored, received, now)
    announce(db, { people: [] })
  } finally {
    await received.discard()
  }
}

/** What is wrong with it a person who sends it. */
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

/** What has to be read from a photo needs its points. A signature does not, and what shows a fault, or that no one was there, shows it is. */
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
 * Runs the change that bytes on the drive are for. Refused, they go again, unless a living row names them; done, those go that
 * it does not need any more. What is unknown (the answer to a commit was lost) is left to the sweep.
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

/** What came of the change stands, whatever becomes of this. */
const dropped = (drop: () => Promise<unknown>) =>
  drop().catch((err) => log.warn({ err }, 'unneeded file not deleted, left to the sweep'))

const hourMs = 3_600_000

/**
 * Takes what is about to be kept out of its sender's share of this hour, and refuses what does not fit, into the share or on
 * the disk. Asked with the whole of it received, before it is worked on, so that a lost network costs nothing.
 */
export async function takeShare(db: Db, drive: Drive, actor: Actor, bytes: number, now: Date): Promise<void> {
  await drive.demandRoom(bytes)
  const share = uploadShareOf(actor)
  const [files, kilobytes] = [`uploads ${actor.id}`, `uploaded kilobytes ${actor.id}`]
  const sent = Math.ceil(bytes / 1024)
  const endsAt = new Date(now.getTime() + hourMs)
  // One statement: of any number at once exactly those that fit pass.
  const rows = await planned<[key: string, count: number, endsAt: Date]>(
    db,
    sql`insert into limits as kept (key, count, window_ends_at) values (${files}, 1, ${endsAt}), (${kilobytes}, ${sent}, ${endsAt})
    on conflict (key) do update set
      count = excluded.count + case when kept.window_ends_at <= ${now} then 0 else kept.count end,
      window_ends_at = case when kept.window_ends_at <= ${now} then excluded.window_ends_at else kept.window_ends_at end
    returning key, count, window_ends_at`,
  )
  const [full] = rows.filter(([key, count]) => count > (key === files ? share.files : share.kilobytes))
  if (!full) return
  await planned(
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

/** What is younger may be on its way to its row. */
const graceMs = 24 * 60 * 60 * 1000
const batch = 500

/** Deletes what lies on the drive and is no living file's or document's, nor a blocked account's: of a crash between bytes and row, or between row and bytes. Answers how many. */
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

/** Deletes of these keys what no living row names, and no blocked account. Answers how many. */
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

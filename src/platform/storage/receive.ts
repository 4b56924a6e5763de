import { createHash } from 'node:crypto'
import { lstat, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { Refusal } from '../../shared/refusal.ts'
import { log } from '../telemetry/log.ts'
import { type BodyPart, beginPart, sweepParts } from './broken-uploads.ts'

/** The system's errors when no space is left: on the disk, in a user's quota, or in a size-limited file. */
const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Answered where a file has no space: nothing of it was stored, and a phone retries automatically. */
export class NoSpace extends Refusal {
  constructor() {
    super('unavailable', {
      title: 'No hay espacio para guardar',
      description: 'Ahora no podemos guardar archivos. No se guardó nada de este; inténtalo más tarde.',
    })
  }
}

/** Runs a write to the disk; a lack of space becomes a refusal. */
export async function withSpace<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (full.has((cause as NodeJS.ErrnoException).code ?? '')) throw new NoSpace()
    throw error
  }
}

/** A received body, in a folder where other files may be created; `discard` deletes them all. */
export type Received = { file: string; bytes: number; sha256: string; discard: () => Promise<void> }

/** Answered with 413, which is not among the store's statuses. */
export class TooLarge extends Refusal {
  constructor(most: number) {
    super('out-of-range', {
      title: 'El archivo pesa demasiado',
      description: `Puede pesar hasta ${Math.floor(most / 1024 / 1024)}\u00a0MB. Si es una foto, tómala con menos resolución.`,
    })
  }
  override get status() {
    return 413
  }
}

const prefix = 'carga-photo-'

/** A body has five minutes to come (platform/http/gate.ts), and a picture some more in its line. */
const longestMs = 3_600_000

/** Deletes, now and every hour, the partial bodies that killed processes left. The returned function stops it. */
export function sweepReceived(): () => void {
  const sweep = () =>
    sweepOnce(Date.now() - longestMs).catch((err) => log.warn({ err }, 'leftover request bodies not deleted'))
  void sweep()
  const timer = setInterval(sweep, longestMs).unref()
  return () => clearInterval(timer)
}

async function sweepOnce(before: number) {
  await sweepParts()
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const folder = path.join(tmpdir(), name)
    // Another process may be sweeping too; files of other users are not ours.
    const found = await lstat(folder).catch(() => null)
    if (!found?.isDirectory() || found.uid !== process.getuid?.() || found.mtimeMs > before) continue
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Receives a body piece by piece, so that many slow ones take no memory. Refuses it, without reading to the end, when
 * it exceeds `most` bytes or when `look`, which sees each piece, throws. A named body that breaks off is kept for its
 * rest.
 */
export async function receive(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  look: (piece: Uint8Array) => void = () => undefined,
  part?: BodyPart,
): Promise<Received> {
  // A private folder for this body.
  const folder = await withSpace(() => mkdtemp(path.join(tmpdir(), prefix)))
  const file = path.join(folder, 'sent')
  const discard = () => rm(folder, { recursive: true, force: true })
  let begun: Awaited<ReturnType<typeof beginPart>> | undefined
  try {
    begun = part && (await beginPart(part, folder))
    return { file, discard, ...(await withSpace(() => write({ body, file, most, look, ...begun }))) }
  } catch (error) {
    if (mayGoOn(error)) await begun?.keep().catch(notKept)
    await discard()
    throw begun?.signal.aborted ? new Refusal('unavailable') : error
  } finally {
    begun?.end()
  }
}

/** The body is sent again as a whole. */
const notKept = (err: unknown) => log.warn({ err }, 'broken upload not kept')

/** A body that broke off, or was cut off for coming too slowly; not one that is refused for what it is. */
const mayGoOn = (error: unknown) => !(error instanceof Refusal) || error.status === 408

type Writing = {
  body: ReadableStream<Uint8Array> | null
  file: string
  most: number
  look: (piece: Uint8Array) => void
  signal?: AbortSignal
}

async function write({ body, file, look, most, signal }: Writing) {
  const hash = createHash('sha256')
  await using handle = await open(file, 'a+')
  let length = 0
  const take = (piece: Uint8Array) => {
    length += piece.byteLength
    if (length > most) throw new TooLarge(most)
    look(piece)
    hash.update(piece)
  }
  // What an earlier part brought.
  for await (const piece of handle.createReadStream({ start: 0, autoClose: false })) take(piece)
  for await (const piece of body ? Readable.fromWeb(body as NodeStream, { signal }) : []) {
    take(piece)
    await handle.appendFile(piece)
  }
  return { bytes: length, sha256: hash.digest('hex') }
}

import { mkdir, open, statfs } from 'node:fs/promises'
import path from 'node:path'
import { isNull } from 'drizzle-orm'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Db } from '../database/client.ts'
import { files } from '../database/schema/appointments.ts'
import { documents } from '../database/schema/payments.ts'
import { ExternalFailure, externalSystems, failureKindOf, limited, noteFailure } from '../external.ts'
import { NoSpace, withSpace } from './receive.ts'
import type { Bucket, Folder, Storage } from './storage-env.ts'

type Kept = { key: string; at: Date }

/** The storage of files' bytes, by key. A stored file survives a power failure. */
export type Drive = ReturnType<typeof openDrive>

/**
 * The keys of a picture's sizes. They include the content's digest, since two contents under one id would otherwise
 * collide on the drive before their rows do.
 */
export function keysOf({
  appointmentId,
  id,
  sentSha256,
}: {
  appointmentId: string
  id: string
  sentSha256: string
}) {
  const place = `${appointmentId}/${id}/${sentSha256.slice(0, 16)}`
  return { full: `${place}.full`, list: `${place}.list` }
}

/** The key of a document's bytes. */
export const paperKey = ({ id }: { id: string }) => `documents/${id}`

/** Opens the folder or the bucket; neither is accessed before its first use. */
export function openDrive(storage: Storage) {
  let opened: Promise<Disk> | undefined
  const disk = () => {
    opened ??= diskOf(storage)
    return opened
  }
  const inBucket = 's3' in storage
  /** One use of the bucket, within its limits, or of the folder. */
  const use = <Result>(run: (disk: Disk) => Promise<Result>) =>
    inBucket
      ? limited('bucket', async () => run(await disk()), { tries: externalSystems.bucket.tries })
      : disk().then(run)
  return {
    /**
     * Refuses an upload that would leave too little disk space for everything else, above all the database. A bucket
     * has no limit.
     */
    demandRoom: async (bytes: number) => {
      if ('folder' in storage && !(await hasRoom(storage, bytes))) throw new NoSpace()
    },
    /** Whole or not at all: an incomplete file is removed, and the failure reported. A bucket keeps none. */
    put: async (key: string, bytes: Uint8Array, contentType: string): Promise<void> => {
      if (!('folder' in storage)) return use((to) => to.put(key, bytes, { contentType })).catch(unstored)
      const to = await disk()
      try {
        await withSpace(() => to.put(key, bytes, { contentType }))
        await withSpace(() => flush(path.join(storage.folder, key)))
      } catch (error) {
        await to.delete(key).catch(() => undefined)
        throw error
      }
    },
    /** The whole file; null when it does not exist. */
    get: async (key: string): Promise<Uint8Array<ArrayBuffer> | null> => {
      try {
        return new Uint8Array(await use((from) => from.getBytes(key)))
      } catch (error) {
        const kind = inBucket && failureKindOf(error)
        if (kind) throw new ExternalFailure('bucket', kind, error, unreadable)
        if (await use((from) => from.exists(key))) throw error
        return null
      }
    },
    /** A missing file counts as deleted. */
    delete: (key: string) => use((from) => from.delete(key)),
    /** All files, with their time of writing. */
    async *all(): AsyncGenerator<Kept> {
      let paginationToken: string | undefined
      do {
        const from = { recursive: true, ...(paginationToken && { paginationToken }) }
        const page = await use((disk) => disk.listAll('', from))
        for (const one of page.objects)
          if (one.isFile) yield { key: one.key, at: (await use(() => one.getMetaData())).lastModified }
        paginationToken = page.paginationToken
      } while (paginationToken)
    },
  }
}

const unreadable = 'Ahora no podemos abrir este archivo. Inténtalo en un momento.'

/** Whatever the bucket answered: nothing counts as stored. One that was is left to the sweep. */
function unstored(error: unknown): never {
  const kind = failureKindOf(error)
  if (!kind) noteFailure('bucket', 'broken')
  throw new ExternalFailure('bucket', kind ?? 'broken', error)
}

/** The disk space that uploads leave free by default: on a large disk, and as a share of a small one. */
const mostReserved = 2 ** 30
const shareReserved = 0.05

async function hasRoom({ folder, reserve }: Folder, bytes: number): Promise<boolean> {
  // The first write would create it.
  await mkdir(folder, { recursive: true })
  const { bavail, blocks, bsize } = await statfs(folder)
  return bavail * bsize - bytes >= (reserve ?? Math.min(mostReserved, blocks * bsize * shareReserved))
}

async function diskOf(storage: Storage): Promise<Disk> {
  if ('folder' in storage) return new Disk(new FSDriver({ location: storage.folder, visibility: 'private' }))
  return new Disk(await s3Of(storage.s3))
}

/** The library is large, so it is loaded only where there is a bucket. */
async function s3Of({ accessKeyId, bucket, endpoint, region, secretAccessKey }: Bucket) {
  const { S3Driver } = await import('flydrive/drivers/s3')
  const { answer, connect, tries } = externalSystems.bucket
  return new S3Driver({
    bucket,
    region,
    visibility: 'private',
    supportsACL: false,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: tries,
    requestHandler: {
      connectionTimeout: connect,
      requestTimeout: answer,
      socketTimeout: answer,
      throwOnRequestTimeout: true,
    },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Stores other than Amazon's do not support the checksums that the client would add.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

/** Durable before the confirmation: a phone deletes its photo once it receives it. */
async function flush(file: string) {
  for (const place of [file, path.dirname(file)]) {
    const handle = await open(place, 'r')
    await handle.sync().finally(() => handle.close())
  }
}

/** The keys that current rows name and the drive lacks. */
export async function missingFiles(db: Db, drive: Drive): Promise<string[]> {
  const there = new Set<string>()
  for await (const { key } of drive.all()) there.add(key)
  const pictures = await db.select().from(files).where(isNull(files.replacedAt))
  const papers = await db.select({ id: documents.id }).from(documents).where(isNull(documents.replacedAt))
  const needed = [...pictures.flatMap((file) => Object.values(keysOf(file))), ...papers.map(paperKey)]
  return needed.filter((key) => !there.has(key))
}

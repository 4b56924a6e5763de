import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BackedUpFile } from './manifest.ts'

/** Copies one file, to the disk and not only to its cache, and answers what was written; null where it is gone. */
export async function copyFile(from: string, to: string): Promise<Omit<BackedUpFile, 'path'> | null> {
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
  try {
    await pipeline(createReadStream(from), counted, createWriteStream(to, { mode: 0o600, flush: true }))
  } catch (error) {
    // A table that was dropped meanwhile: what recovery replays drops it too.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && bytes === 0) return null
    throw error
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Runs a task for each of many, at most eight at once, and stops at the first that fails. */
export async function eachOf<One>(many: Iterable<One>, task: (one: One) => Promise<void>): Promise<void> {
  const rest = many[Symbol.iterator]()
  const take = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await task(next.value)
  }
  await Promise.all(Array.from({ length: 8 }, take))
}

/** The length in bytes and the SHA-256 of a file. */
export async function measure(file: string): Promise<Omit<BackedUpFile, 'path'>> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk as Buffer)
    bytes += (chunk as Buffer).length
  }
  return { bytes, sha256: hash.digest('hex') }
}

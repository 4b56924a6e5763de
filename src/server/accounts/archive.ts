import { Readable } from 'node:stream'
import { Zip, ZipPassThrough } from 'fflate'
import type { BlockedFile } from '../platform/database/schema/accounts.ts'
import type { Drive } from '../platform/storage/drive.ts'

type Entry = { name: string; bytes: Uint8Array }

/** Everything held of somebody as one file: what is written as JSON, with times as ISO text, and each picture and paper beside it. */
export function archiveOf(drive: Drive, held: unknown, files: readonly BlockedFile[]): ReadableStream {
  return Readable.toWeb(Readable.from(zipped(entriesOf(drive, held, files)))) as ReadableStream
}

/** A ZIP archive, one file in memory at a time, not compressed: pictures and PDFs are already. */
async function* zipped(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  for await (const { bytes, name } of entries) {
    const file = new ZipPassThrough(name)
    zip.add(file)
    file.push(bytes, true)
    yield* chunks.splice(0)
  }
  zip.end()
  yield* chunks
}

async function* entriesOf(drive: Drive, held: unknown, files: readonly BlockedFile[]): AsyncGenerator<Entry> {
  yield { name: 'mis-datos.json', bytes: Buffer.from(JSON.stringify(held, null, 2)) }
  for (const { key, name } of files) {
    // What is not on the drive is not held.
    const bytes = await drive.get(key)
    if (bytes) yield { name, bytes }
  }
}

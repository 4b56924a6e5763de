import { Readable } from 'node:stream'
import type { BlockedFile } from '../database/privacy-schema.ts'
import type { Drive } from '../files/drive.ts'
import { type Entry, zipped } from './zip.ts'

/** Everything held of somebody as one file: what is written as JSON, with times as ISO text, and each picture and paper beside it. */
export function archiveOf(drive: Drive, held: unknown, files: readonly BlockedFile[]): ReadableStream {
  return Readable.toWeb(Readable.from(zipped(entriesOf(drive, held, files)))) as ReadableStream
}

async function* entriesOf(drive: Drive, held: unknown, files: readonly BlockedFile[]): AsyncGenerator<Entry> {
  yield { name: 'mis-datos.json', bytes: Buffer.from(JSON.stringify(held, null, 2)) }
  for (const { key, name } of files) {
    // What is not on the drive is not held.
    const bytes = await drive.get(key)
    if (bytes) yield { name, bytes }
  }
}

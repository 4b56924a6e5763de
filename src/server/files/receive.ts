import { createHash } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Refusal } from '../../domain/refusal.ts'
import { withSpace } from './full-disk.ts'

/** A body as it came, in a file beside which others may be made; `discard` takes them all away. */
export type Received = { file: string; sha256: string; discard: () => Promise<void> }

/** Said with 413, which is none of the store's statuses. */
export class TooLarge extends Refusal {
  constructor(most: number) {
    super('out-of-range', {
      title: 'El archivo pesa demasiado',
      description: `Puede pesar hasta ${Math.floor(most / 1024 / 1024)} MB. Si es una foto, tómala con menos resolución.`,
    })
  }
  override get status() {
    return 413
  }
}

/** Lets a body in, piece by piece, so that many slow ones take no memory. Longer than `most` bytes it is refused, and not read to its end. */
export async function receive(body: ReadableStream<Uint8Array> | null, most: number): Promise<Received> {
  // Of its own, closed to others; the system clears what a killed process leaves.
  const folder = await withSpace(() => mkdtemp(path.join(tmpdir(), 'carga-photo-')))
  const file = path.join(folder, 'sent')
  const discard = () => rm(folder, { recursive: true, force: true })
  try {
    const sha256 = await withSpace(() => write(body, file, most))
    return { file, sha256, discard }
  } catch (error) {
    await discard()
    throw error
  }
}

async function write(body: ReadableStream<Uint8Array> | null, file: string, most: number): Promise<string> {
  const hash = createHash('sha256')
  await using handle = await open(file, 'wx')
  let length = 0
  for await (const piece of body ?? []) {
    length += piece.byteLength
    if (length > most) throw new TooLarge(most)
    hash.update(piece)
    await handle.appendFile(piece)
  }
  return hash.digest('hex')
}

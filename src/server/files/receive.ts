import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Refusal } from '../../domain/refusal.ts'

/** A body as it came, in a file beside which others may be made; `discard` takes them all away. */
export type Received = { file: string; sha256: string; discard: () => Promise<void> }

/** Said with 413, which is none of the store's statuses. */
export class TooLarge extends Refusal {
  constructor(most: number) {
    super('out-of-range', {
      title: 'La foto pesa demasiado',
      description: `Puede pesar hasta ${Math.floor(most / 1024 / 1024)} MB. Tómala con menos resolución.`,
    })
  }
  override get status() {
    return 413
  }
}

/** Lets a body in, piece by piece, so that many slow ones take no memory. Longer than `most` bytes it is refused, and not read to its end. */
export async function receive(body: ReadableStream<Uint8Array> | null, most: number): Promise<Received> {
  const file = path.join(folder(), randomUUID())
  const discard = async () => {
    await Promise.all(['', '.full', '.list'].map((end) => rm(`${file}${end}`, { force: true })))
  }
  const hash = createHash('sha256')
  const handle = await open(file, 'wx', 0o600)
  try {
    let length = 0
    for await (const piece of body ?? []) {
      length += piece.byteLength
      if (length > most) throw new TooLarge(most)
      hash.update(piece)
      await handle.write(piece)
    }
  } catch (error) {
    await handle.close()
    await discard()
    throw error
  }
  await handle.close()
  return { file, sha256: hash.digest('hex'), discard }
}

let made: string | undefined
/** Of this process, closed to others; the system clears what a killed one leaves. */
function folder(): string {
  made ??= mkdtempSync(path.join(tmpdir(), 'carga-photos-'))
  return made
}

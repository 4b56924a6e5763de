import { createHash } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Actor } from '../../access/rules/actor.ts'
import { Refusal } from '../../shared/refusal.ts'
import { isId } from '../database/client.ts'

/** A body that its sender names, so that after a break only the rest is sent; `from` counts the bytes sent before. */
export type BodyPart = { key: string; from: number }

/** What kit/form/upload.ts says of a body. */
export function partOf({ emailVerified, id }: Actor, headers: Headers): BodyPart | undefined {
  const body = headers.get('x-body') ?? ''
  if (!emailVerified || !isId(body)) return undefined
  return { key: keyOf(id, body), from: Number(headers.get('x-body-from')) }
}

const prefix = 'carga-part-'
const digestOf = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 32)
/** The name of the file in which a broken body is kept: of all processes of this machine. */
const keyOf = (personId: string, bodyId: string) => `${prefix}${digestOf(personId)}-${digestOf(bodyId)}`
const placeOf = (key: string) => path.join(tmpdir(), key)

const keptMs = 10 * 60_000
const megabyte = 1024 * 1024
/** The most that is kept: bodies of one person, and bytes of all. */
const most = { ofPerson: 2, bytes: 80 * megabyte }

const running = new Map<string, { stop: AbortController; ended: Promise<void> }>()

/** How many bytes of a body are here. One that still waits for bytes ends: its sender has begun again. */
export async function bytesHere(personId: string, bodyId: string): Promise<number> {
  const key = keyOf(personId, bodyId)
  running.get(key)?.stop.abort()
  await running.get(key)?.ended
  return stat(placeOf(key)).then(
    ({ size }) => size,
    () => 0,
  )
}

/** Begins to receive a part, in the file `sent` of a new folder; refuses one that does not begin where the one before ended. */
export async function beginPart({ from, key }: BodyPart, newFolder: string) {
  running.get(key)?.stop.abort()
  await running.get(key)?.ended
  const file = path.join(newFolder, 'sent')
  // Of several that begin at once, one gets what is kept.
  const size = await rename(placeOf(key), file).then(
    async () => (await stat(file)).size,
    () => 0,
  )
  if (size !== from) await rm(file, { force: true })
  if (size !== from && from !== 0) throw new Refusal('unavailable')
  const stop = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  const run = { stop, ended: promise }
  running.set(key, run)
  return {
    signal: stop.signal,
    async keep() {
      await rename(file, placeOf(key))
      await sweepParts(key)
    },
    end() {
      if (running.get(key) === run) running.delete(key)
      resolve()
    },
  }
}

/** Deletes parts that were left, and those that are too much, the oldest first: of the person of a key, and in all. */
export async function sweepParts(key = ''): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  const found = await Promise.all(
    names.map(async (name) => {
      const { mtimeMs: at = 0, size = 0 } = (await stat(placeOf(name)).catch(() => null)) ?? {}
      return { name, at, size }
    }),
  )
  const newestFirst = found.toSorted((a, b) => b.at - a.at)
  const person = key.slice(0, key.lastIndexOf('-'))
  const own = newestFirst.filter(({ name }) => person && name.startsWith(person))
  let bytes = 0
  const tooMuch = newestFirst.filter(({ size }) => {
    bytes += size
    return bytes > most.bytes
  })
  const gone = new Set([...tooMuch, ...own.slice(most.ofPerson)])
  for (const one of newestFirst)
    if (gone.has(one) || one.at < Date.now() - keptMs) await rm(placeOf(one.name), { force: true })
}

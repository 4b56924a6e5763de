import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Actor } from '../../../domain/access/actor.ts'
import { Refusal } from '../../../domain/shared/refusal.ts'
import { isId } from '../database/client.ts'

/** A body that its sender names, so that after a break only the rest is sent; `from` counts the bytes sent before. */
export type Part = { key: string; from: number }

/** What web/offline/upload.ts says of a body. */
export function partOf({ emailVerified, id }: Actor, headers: Headers): Part | undefined {
  const body = headers.get('x-body') ?? ''
  if (!emailVerified || !isId(body)) return undefined
  return { key: keyOf(id, body), from: Number(headers.get('x-body-from')) }
}

const keyOf = (personId: string, bodyId: string) => `${personId} ${bodyId}`

const keptMs = 10 * 60_000
const mostKept = 16

type Kept = { folder: string; bytes: number; timer: NodeJS.Timeout }

const kept = new Map<string, Kept>()
const running = new Map<string, { stop: AbortController; ended: Promise<void> }>()

/** How many bytes of a body are here. One that still waits for bytes ends: its sender has begun again. */
export async function bytesHere(personId: string, bodyId: string): Promise<number> {
  return (await brokenOff(keyOf(personId, bodyId)))?.bytes ?? 0
}

async function brokenOff(key: string): Promise<Kept | undefined> {
  running.get(key)?.stop.abort()
  await running.get(key)?.ended
  return kept.get(key)
}

/** Begins to receive a part; refuses one that does not begin where the one before ended. */
export async function beginPart({ from, key }: Part) {
  const before = await brokenOff(key)
  const isNext = before?.bytes === from
  if (before) await drop(key, { withFolder: !isNext })
  if (from !== 0 && !isNext) throw new Refusal('unavailable')
  const stop = new AbortController()
  const { promise, resolve } = Promise.withResolvers<void>()
  const run = { stop, ended: promise }
  running.set(key, run)
  return {
    folder: before && isNext ? before.folder : null,
    signal: stop.signal,
    keep: (folder: string) => keep(key, folder),
    end: () => {
      if (running.get(key) === run) running.delete(key)
      resolve()
    },
  }
}

async function keep(key: string, folder: string) {
  const { size } = await stat(path.join(folder, 'sent'))
  await drop(key)
  for (const oldest of kept.keys()) if (kept.size >= mostKept) await drop(oldest)
  const timer = setTimeout(() => void drop(key), keptMs).unref()
  kept.set(key, { folder, bytes: size, timer })
}

async function drop(key: string, { withFolder = true } = {}) {
  const one = kept.get(key)
  clearTimeout(one?.timer)
  kept.delete(key)
  if (one && withFolder) await rm(one.folder, { recursive: true, force: true })
}

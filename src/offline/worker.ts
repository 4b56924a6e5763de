import { useEffect, useSyncExternalStore } from 'react'
import { useLocation, useNavigation, useRevalidator } from 'react-router'
import { reloadPage } from '../kit/form/unsent.ts'
import { isBeingFilledIn } from '../kit/live.ts'
import { isLost, noteNetwork, watchNetwork } from '../kit/network.ts'
import type { WorkerMessage, WorkerRequest } from './worker-messages.ts'

/** Milliseconds between two fetches ahead: when nothing is known to have changed, and at the least. */
const pauses = { usual: 5 * 60_000, least: 30_000 }

let waiting: ServiceWorker | null = null
const changes = new EventTarget()

/** The newer version that waits for activation; null where there is none. */
export const newVersion = () => waiting

export function watchVersion(onChange: () => void): () => void {
  changes.addEventListener('change', onChange)
  return () => changes.removeEventListener('change', onChange)
}

/** The path of the page that got a kept answer and has a newer one to fetch; it may not be shown yet. */
let newerPath: string | null = null

function noteNewer(path: string | null): void {
  newerPath = path
  changes.dispatchEvent(new Event('change'))
}

/**
 * The network answered after the kept page was shown: the screen takes that over, once nobody touches it or writes on
 * it, so that nothing moves under a finger.
 */
export function useNewer(): void {
  const { revalidate } = useRevalidator()
  const { pathname } = useLocation()
  const idle = useNavigation().state === 'idle'
  const isOld =
    useSyncExternalStore(
      watchVersion,
      () => newerPath,
      () => null,
    ) === pathname
  useEffect(() => {
    if (!isOld || !idle) return
    return whenStill(() => {
      noteNewer(null)
      void revalidate()
    })
  }, [isOld, idle, revalidate])
}

/** Milliseconds without a touch after which a screen may change, and between two looks whether it may. */
const still = 250

/** Runs as soon as no finger is on the screen and no form is being filled in; returns what calls it off. */
function whenStill(run: () => void): () => void {
  let isDown = false
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => (isDown || isBeingFilledIn() ? wait() : run()), still)
  }
  const over = new AbortController()
  const touched = ({ type }: Event) => {
    isDown = type === 'pointerdown'
    wait()
  }
  for (const type of ['pointerdown', 'pointerup', 'pointercancel'])
    window.addEventListener(type, touched, { capture: true, passive: true, signal: over.signal })
  wait()
  return () => {
    clearTimeout(timer)
    over.abort()
  }
}

/** Registers the service worker for a signed-in technician; returns what requests the day ahead, if possible. */
export async function startWorker(personId: string): Promise<Ahead | null> {
  const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (import.meta.env.DEV || !worker) return null
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    if (typeof data === 'string') noteNetwork(data === 'found')
    else noteNewer(data.newer)
  })
  post(worker.controller, 'network')
  watchNetwork(() => isLost() || post(worker.controller, 'found'))
  const registration = await worker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
  if (!registration) return null
  follow(registration)
  return atMost(async () => {
    // Pages that stay open for days never navigate, which is when a browser would check by itself.
    registration.update().catch(() => undefined)
    post((await worker.ready).active, { ahead: personId })
  })
}

/** Milliseconds that a worker has to fetch a few pages again. */
const longest = 60_000

/** Whether what this phone keeps of these pages, if anything, is up to date. */
export async function keptAnew(paths: readonly string[]): Promise<boolean> {
  const worker = navigator.serviceWorker?.controller
  if (!worker) return true
  const { port1, port2 } = new MessageChannel()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  port1.onmessage = ({ data }: MessageEvent<boolean>) => resolve(data)
  setTimeout(() => resolve(false), longest)
  worker.postMessage({ again: [...paths] } satisfies WorkerRequest, [port2])
  return promise
}

/** Requests the day ahead; `isChanged`: something in it may have changed. */
export type Ahead = { ask: (isChanged: boolean) => void; stop: () => void }

/** Runs after a change as soon as the least pause is over, otherwise when the usual one is. */
function atMost(run: () => unknown): Ahead {
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const go = () => {
    clearTimeout(timer)
    timer = undefined
    last = performance.now()
    run()
  }
  return {
    ask(isChanged) {
      const left = last + (isChanged ? pauses.least : pauses.usual) - performance.now()
      if (left <= 0) go()
      else if (isChanged) timer ??= setTimeout(go, left)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Replaces this version with the newer one, and reloads this page. */
export function activateNewVersion(): void {
  navigator.serviceWorker.addEventListener('controllerchange', reloadPage, { once: true })
  post(waiting, 'take-over')
}

const post = (worker: ServiceWorker | null, asked: WorkerRequest) => worker?.postMessage(asked)

function follow(registration: ServiceWorkerRegistration): void {
  const look = () => {
    // The first worker of all replaces none.
    waiting = navigator.serviceWorker.controller && registration.waiting
    changes.dispatchEvent(new Event('change'))
  }
  look()
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', look),
  )
}

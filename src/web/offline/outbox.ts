import { noteRefused, noteTaken } from '../reports/arrived.ts'
import { type Phone, reread } from '../reports/phone.ts'
import { isLost, noteNetwork, watchNetwork } from './network.ts'
import type { Rows } from './rows.ts'
import { send } from './send.ts'
import { isOpen, nextTask, pauseAfter, type Task } from './send-order.ts'
import { pictureOf } from './store.ts'
import { verdictOf } from './verdict.ts'
import { leftCache } from './worker-messages.ts'

/** Milliseconds in which what is being typed gathers. */
const gather = 800
/** Milliseconds until this tab looks again whether another one, that sends, is done. */
const look = 3_000

/**
 * Sends by itself what waits on this phone, as long as a page of its person is open: after every change, when the network
 * comes back, when the page is looked at. One tab of the browser sends at a time. Returns what stops it.
 */
export function startOutbox(phone: Phone): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0
  let isOver = false
  let isRunning = false
  const soon = (after: number) => {
    if (isOver || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void run()
    }, after)
  }
  const run = async () => {
    if (isOver || isRunning) return
    isRunning = true
    const before = phone.state.get().rows
    const pause = await alone(() => drain(phone, () => isOver))
    isRunning = false
    tries = pause === 'later' ? (hasGone(before) ? 1 : tries + 1) : 0
    if (pause === 'later') soon(pauseAfter(tries))
    else if (pause === 'busy') soon(look)
    else if (pause !== 'held' && nextTask(phone.state.get().rows)) soon(gather)
  }
  /** Whether anything was taken since: what failed then is a new failure. */
  const hasGone = (before: Rows) => openIn(phone.state.get().rows) < openIn(before)
  const now = () => {
    clearTimeout(timer)
    timer = undefined
    tries = 0
    if (document.visibilityState === 'visible' && !isLost()) void run()
  }
  const changed = () => nextTask(phone.state.get().rows) && soon(gather)
  const stops = [phone.state.subscribe(changed), watchNetwork(now)]
  phone.wishes.addEventListener('send', now)
  document.addEventListener('visibilitychange', now)
  now()
  return () => {
    isOver = true
    clearTimeout(timer)
    for (const stop of stops) stop()
    phone.wishes.removeEventListener('send', now)
    document.removeEventListener('visibilitychange', now)
  }
}

const openIn = ({ answers, files, moves }: Rows) => [...answers, ...files, ...moves].filter(isOpen).length

/** `empty`: nothing is left to send; `later`: the server could not be asked; `held`: somebody has to sign in first; `busy`: another tab sends. */
type End = 'empty' | 'later' | 'held' | 'busy'

/** The lock is held while something is sent only: a tab that the phone put to sleep would keep it. */
async function alone(run: () => Promise<End>): Promise<End> {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return run()
  return locks.request('carga-onsite', { ifAvailable: true }, (lock) => (lock ? run() : ('busy' as const)))
}

async function drain(phone: Phone, isOver: () => boolean): Promise<End> {
  // Signed out on this phone, without a network: the server comes first.
  if (await globalThis.caches?.has(leftCache)) return 'held'
  // Another tab may have sent some of it.
  await reread(phone)
  phone.state.set({ hold: null })
  for (let task = next(phone); task && !isOver(); task = next(phone)) {
    const end = await carry(phone, task)
    if (end) return end
  }
  return 'empty'
}

const next = (phone: Phone) => (isLost() ? null : nextTask(phone.state.get().rows))

/** Sends one thing; answers why to stop, or null to go on. */
async function carry(phone: Phone, task: Task): Promise<End | null> {
  const id = task.kind === 'answers' ? task.appointmentId : task.row.id
  const blob = task.kind === 'file' ? await pictureOf(phone.database, id) : null
  phone.state.set({ sending: { id, progress: 0 } })
  const heard = await send(phone.personId, task, blob, (progress) =>
    phone.state.set({ sending: { id, progress } }),
  )
  noteNetwork(heard !== null)
  const verdict = verdictOf(heard)
  if (verdict.kind === 'taken') await noteTaken(phone, task, verdict.body)
  if (verdict.kind === 'refused') await noteRefused(phone, task, verdict.problem)
  phone.state.set({ sending: null })
  if (verdict.kind === 'later') return 'later'
  if (verdict.kind !== 'signed-out' && verdict.kind !== 'other-person') return null
  phone.state.set({ hold: verdict.kind })
  return 'held'
}

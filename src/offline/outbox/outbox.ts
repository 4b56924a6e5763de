import { restOf } from '../../kit/form/upload.ts'
import { isLost, noteNetwork, watchNetwork } from '../../kit/network.ts'
import { leftCache } from '../worker-messages.ts'
import { noteRefused, noteTaken } from './apply-sync-result.ts'
import { type OfflineStore, reread } from './offline-store.ts'
import type { FileRow, StoredProblem, StoredRows } from './rows.ts'
import { isUnsent, nextTask, pauseAfter, type SendTask } from './send-order.ts'
import { pictureOf } from './store.ts'

/** Milliseconds in which typed changes are collected. */
const gather = 800

/** Milliseconds until this tab checks again whether another tab that sends has finished. */
const look = 3_000

/**
 * Sends by itself what waits on this phone, as long as a page of its person is open: after every change, when the
 * network comes back, when the page becomes visible. One tab of the browser sends at a time. Returns the function
 * that stops it.
 */
export function startOutbox(phone: OfflineStore): () => void {
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
  /** Whether anything was accepted since: a failure after that is a new failure. */
  const hasGone = (before: StoredRows) => openIn(phone.state.get().rows) < openIn(before)
  const now = () => {
    clearTimeout(timer)
    timer = undefined
    tries = 0
    if (document.visibilityState === 'visible' && !isLost()) void run()
  }
  const changed = () => nextTask(phone.state.get().rows) && soon(gather)
  const stops = [phone.state.subscribe(changed), watchNetwork(now)]
  phone.inputs.addEventListener('send', now)
  document.addEventListener('visibilitychange', now)
  now()
  return () => {
    isOver = true
    clearTimeout(timer)
    for (const stop of stops) stop()
    phone.inputs.removeEventListener('send', now)
    document.removeEventListener('visibilitychange', now)
  }
}

const openIn = ({ answers, files, moves }: StoredRows) =>
  [...answers, ...files, ...moves].filter(isUnsent).length

/**
 * `empty`: nothing is left to send; `later`: the server could not be asked; `held`: the author has to sign in first;
 * `busy`: another tab sends.
 */
type End = 'empty' | 'later' | 'held' | 'busy'

/** The lock is held only while something is sent: a tab that the phone suspended would keep it. */
async function alone(run: () => Promise<End>): Promise<End> {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return run()
  return locks.request('carga-onsite', { ifAvailable: true }, (lock) => (lock ? run() : ('busy' as const)))
}

async function drain(phone: OfflineStore, isOver: () => boolean): Promise<End> {
  // Signed out on this phone, without a network: the server must receive that first.
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

const next = (phone: OfflineStore) => (isLost() ? null : nextTask(phone.state.get().rows))

/** Sends one item; returns why to stop, or null to go on. */
async function carry(phone: OfflineStore, task: SendTask): Promise<End | null> {
  const id = task.kind === 'answers' ? task.appointmentId : task.row.id
  const blob = task.kind === 'file' ? await pictureOf(phone.database, id) : null
  phone.state.set({ sending: { id, progress: 0 } })
  const heard = await send(phone.personId, task, blob, (progress) =>
    phone.state.set({ sending: { id, progress } }),
  )
  noteNetwork(heard !== null)
  const verdict = interpretResponse(heard)
  if (verdict.kind === 'taken') await noteTaken(phone, task, verdict.body)
  if (verdict.kind === 'refused') await noteRefused(phone, task, verdict.problem)
  phone.state.set({ sending: null })
  if (verdict.kind === 'later') return 'later'
  if (verdict.kind !== 'signed-out' && verdict.kind !== 'other-person') return null
  phone.state.set({ hold: verdict.kind })
  return 'held'
}

/** After so many milliseconds without an answer a request counts as lost. */
const longest = { small: 30_000, photo: 5 * 60_000 }

/**
 * Makes the request of a task for its person; null when no answer came. `onProgress` gets how much of a photo was
 * sent, from 0 to 100.
 */
function send(
  personId: string,
  task: SendTask,
  blob: Blob | null,
  onProgress: (progress: number) => void,
): Promise<HttpResult | null> {
  if (task.kind === 'answers')
    return post(personId, `${task.appointmentId}/answers`, {
      changes: task.rows.flatMap(({ earlier = [], name, base, value, at }) =>
        [...earlier, { value, at }].map((made) => ({ name, base, ...made })),
      ),
    })
  if (task.kind === 'move') {
    const { appointmentId, at, checklist, form, move, reason, startsAt } = task.row
    return post(personId, appointmentId ? `${appointmentId}/moves` : 'time-off', {
      move,
      at,
      reason,
      checklist,
      form,
      startsAt,
    })
  }
  const { row } = task
  if (row.isDrop) return ask(personId, `${row.appointmentId}/files/${row.id}`, { method: 'DELETE' })
  return blob ? put(personId, row, blob, onProgress) : Promise.resolve(lostPicture)
}

/** The phone itself deleted the picture, as browsers may when they run out of space. */
const lostPicture: HttpResult = {
  status: 410,
  retryAfter: null,
  body: {
    code: 'data-loss',
    title: 'El teléfono borró esta foto',
    description: 'Se quedó sin espacio y la perdió. Quítala y tómala de nuevo.',
  },
}

const post = (personId: string, path: string, body: unknown) =>
  ask(personId, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function ask(personId: string, path: string, init: RequestInit): Promise<HttpResult | null> {
  try {
    const answer = await fetch(`/onsite/${path}`, {
      ...init,
      headers: { ...init.headers, 'x-person': personId },
      signal: AbortSignal.timeout(longest.small),
    })
    return {
      status: answer.status,
      body: read(await answer.text()),
      retryAfter: answer.headers.get('retry-after'),
    }
  } catch {
    return null
  }
}

/** Only this older API reports how much of a body was sent. */
async function put(personId: string, row: FileRow, blob: Blob, onProgress: (progress: number) => void) {
  const rest = await restOf(row.id, blob).catch(() => null)
  if (!rest) return null
  const { body, from, headers } = rest
  const { promise, resolve } = Promise.withResolvers<HttpResult | null>()
  const request = new XMLHttpRequest()
  request.open('PUT', `/onsite/${row.appointmentId}/files/${row.id}?${queryOf(row)}`)
  for (const [name, value] of Object.entries({ ...headers, 'x-person': personId }))
    request.setRequestHeader(name, value)
  request.timeout = longest.photo
  request.upload.onprogress = ({ loaded }) => onProgress(Math.round((100 * (from + loaded)) / blob.size))
  request.onload = () =>
    resolve({
      status: request.status,
      body: read(request.responseText),
      retryAfter: request.getResponseHeader('retry-after'),
    })
  request.onerror = request.ontimeout = request.onabort = () => resolve(null)
  request.send(body)
  return promise
}

const queryOf = ({ at, keptBecause, sha256, slot }: FileRow) =>
  new URLSearchParams({ slot, capturedAt: at, sha256, ...(keptBecause && { keptBecause }) })

/** What an answer says; null where it is not ours. */
function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What an answer of the server means for what was sent. */
type SendOutcome =
  | { kind: 'taken'; body: unknown }
  /** The server can't be reached, or not now: the same again, `after` so many milliseconds if the server says so. */
  | { kind: 'later'; after: number | null }
  /** Its author has to sign in first. */
  | { kind: 'signed-out' }
  /** Another person is signed in. */
  | { kind: 'other-person' }
  | { kind: 'refused'; problem: StoredProblem }

type HttpResult = { status: number; body: unknown; retryAfter: string | null }

const busy = new Set([408, 425, 429])

/** Interprets an answer; null is none at all. */
export function interpretResponse(heard: HttpResult | null): SendOutcome {
  if (!heard) return { kind: 'later', after: null }
  const { status, body, retryAfter } = heard
  if (status >= 200 && status < 300 && typeof body === 'object' && body !== null)
    return { kind: 'taken', body }
  // Also a proxy between us and the server that answers with a page of its own.
  if (status >= 500 || busy.has(status) || status < 400) return { kind: 'later', after: seconds(retryAfter) }
  if (status === 401) return { kind: 'signed-out' }
  const problem = problemIn(status, body)
  if (problem.code === 'other-person') return { kind: 'other-person' }
  return { kind: 'refused', problem }
}

const seconds = (text: string | null) => (text && /^\d{1,4}$/.test(text) ? Number(text) * 1000 : null)

function problemIn(status: number, body: unknown): StoredProblem {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Partial<StoredProblem>
  if (status === 404) return gone
  if (typeof said.title === 'string' && typeof said.description === 'string')
    return { code: said.code ?? String(status), title: said.title, description: said.description }
  return { ...unclear, code: String(status) }
}

const gone: StoredProblem = {
  code: 'not-found',
  title: 'Esta cita ya no es tuya',
  description:
    'La oficina la pasó a otra persona o la quitó. Llama a la gerencia antes de borrar lo que guardaste.',
}
const unclear: StoredProblem = {
  code: 'unknown',
  title: 'No se pudo enviar',
  description: 'Vuelve a intentarlo. Si sigue igual, llama a la gerencia: aquí sigue guardado.',
}

import { markerIn } from '../../accounts/rules/sessions.ts'
import { overload } from '../../shared/overload.ts'
import { isLost, noteNetwork, watchNetwork } from '../network.ts'
import { inParts } from './upload.ts'

/** A form that was sent and has no answer yet, as its page shows it. */
export type Unsent = {
  form: HTMLFormElement | null
  /** No network; a server that can't be reached, or not now; an answer that takes long. */
  why: 'offline' | 'unreachable' | 'slow'
  /** `waits`: it is sent by itself; `asks`: only by a tap; `sending`: a request is under way. */
  state: 'waits' | 'asks' | 'sending'
  /** Whether this device has its words. */
  isKept: boolean
}

/** `keys`: the fields by which the server recognises it when it is sent again. */
type Delivery = {
  form: HTMLFormElement | null
  keys: [name: string, value: string][]
  shown: Unsent | null
  inputs: EventTarget
  isEdited: boolean
  since: number
}
type Listener = (form: HTMLFormElement, isAccepted: boolean, session: string) => void
type Body = FormData | URLSearchParams

/** Milliseconds after which an answer is said to take long, and after which it counts as lost. */
const patience = { slow: 5_000, longest: 30_000, withFiles: 5 * 60_000 }
/** Milliseconds in which a form is sent again by itself: less than the server keeps its answers (form-answers.ts). */
const alone = 50 * 60_000

const deliveries = new Set<Delivery>()
const watchers = new Set<() => void>()
const listeners = new Set<Listener>()
/** Which form a request is of, by the key in it. */
const formOfKey = new Map<string, HTMLFormElement>()
const submitters = new WeakMap<HTMLFormElement, HTMLElement | null>()
const resumed = new WeakMap<HTMLFormElement, Delivery['keys']>()

/** Calls back at each change of what is unsent; returns the function that stops it. */
export function watchUnsent(onChange: () => void): () => void {
  watchers.add(onChange)
  return () => void watchers.delete(onChange)
}

const tell = () => {
  for (const watcher of [...watchers]) watcher()
}

/** A form left the page, as with its dialog: what it waits for is said elsewhere now. */
export const noteGone = tell

/** What is unsent of a form. */
export const unsentOf = (form: HTMLFormElement | null): Unsent | undefined =>
  (form && deliveryOf(form)?.shown) ?? undefined

/** What is unsent and has no form on the page any more. */
export const unsentElsewhere = (): Unsent | undefined =>
  [...deliveries].find(({ form, shown }) => shown && !form?.isConnected)?.shown ?? undefined

/** Whether a form waits to be sent, and no request is under way. */
export const isAnyWaiting = (): boolean =>
  [...deliveries].some(({ shown }) => shown !== null && shown.state !== 'sending')

/** The forms that have no answer yet, so that a reload would take them away. */
export const waitingForms = (): HTMLFormElement[] =>
  [...deliveries].flatMap(({ form, shown }) => (form?.isConnected && shown ? [form] : []))

/** The fields that a form was sent with, and by which the server recognises it; null where it was answered. */
export const sentKeysOf = (form: HTMLFormElement): Delivery['keys'] | null =>
  deliveryOf(form)?.keys ?? resumed.get(form) ?? null

const deliveryOf = (form: HTMLFormElement) => [...deliveries].findLast((one) => one.form === form)

/** Sends now what waits; with what was written in the form since. */
export function sendNow({ form }: Unsent): void {
  const one = [...deliveries].find(({ shown }) => shown?.form === form)
  if (!one?.isEdited || !form?.isConnected) return void one?.inputs.dispatchEvent(new Event('send'))
  const pressed = submitters.get(form)
  form.requestSubmit(pressed?.isConnected ? pressed : undefined)
}

/** This device has the words of a form. */
export function noteKept(form: HTMLFormElement): void {
  const one = deliveryOf(form)
  if (one?.shown && !one.shown.isKept) show(one, { isKept: true })
}

/**
 * A form that was filled again goes out with the keys that it was sent with before. Where that is still under way, as
 * after its dialog was closed and opened again, this form is the one that waits, and the answer is true.
 */
export function resumeKeys(form: HTMLFormElement, keys: Delivery['keys']): boolean {
  resumed.set(form, keys)
  const one = [...deliveries].find(
    (other) => !other.form?.isConnected && other.keys.some(([, key]) => keys.some(([, own]) => own === key)),
  )
  if (!one) return false
  one.form = form
  if (one.shown) show(one, {})
  return true
}

/** Calls back when the server has answered a form, with the marker of the session it was for; returns the function that stops it. */
export function watchAnswers(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Says that a form is done with, as if the server had accepted it: this phone keeps elsewhere what was in it. */
export function noteDone(form: HTMLFormElement): void {
  for (const listener of [...listeners]) listener(form, true, currentMarker())
}

function show(one: Delivery, change: Partial<Unsent>): void {
  const { form } = one
  one.shown = { why: 'unreachable', state: 'waits', isKept: false, ...one.shown, form, ...change }
  tell()
}

/**
 * Delivers every form, whatever happens to the network or the server: its request has no answer until one came, so the
 * screen stays as it is, with everything typed and chosen. It is made again when the network is back and now and then
 * while the server can't be reached, with the same key, by which the server does it once. The router ends it by its
 * signal, as when the user goes elsewhere.
 */
export function deliverForms(target: Pick<Window, 'fetch'> = window): void {
  const ask = target.fetch.bind(target)
  document.addEventListener('formdata', ({ target: form, formData }) => {
    if (!(form instanceof HTMLFormElement)) return
    for (const [name, value] of resumed.get(form) ?? []) if (formData.has(name)) formData.set(name, value)
    const key = formData.get('formKey')
    if (typeof key === 'string') formOfKey.set(key, form)
  })
  document.addEventListener(
    'submit',
    ({ submitter, target: form }) =>
      void (form instanceof HTMLFormElement && submitters.set(form, submitter)),
    true,
  )
  target.fetch = async (input, init) => {
    const body = bodyOf(input, init)
    if (body) {
      // What this browser can't encode goes as it is.
      const parts = hasFiles(body) ? await inParts(body).catch(() => null) : null
      const send: Ask = async (signal) => ask(input, { ...init, ...(await parts?.(signal)), signal })
      return deliver(send, body, init?.signal)
    }
    const answer = await ask(input, init)
    // A service worker may answer for a server that is lost, and says itself when it is found.
    if (isData(input) && !navigator.serviceWorker?.controller) noteNetwork(true)
    return answer
  }
}

const isData = (input: RequestInfo | URL) =>
  new URL(input instanceof Request ? input.url : input, 'http://any').pathname.endsWith('.data')

/** What a form of ours sends by script; null of any other request, and of a form that looks after itself. */
function bodyOf(input: RequestInfo | URL, init: RequestInit | undefined): Body | null {
  const body = init?.body
  const isForm = body instanceof FormData || body instanceof URLSearchParams
  if (!isForm || init?.method !== 'POST') return null
  const key = body.get('formKey')
  if (!isData(input) || typeof key !== 'string') return null
  return formOfKey.get(key)?.dataset.keptApart === undefined ? body : null
}

type Ask = (signal: AbortSignal) => Promise<Response>

async function deliver(ask: Ask, body: Body, ended?: AbortSignal | null): Promise<Response> {
  const one = deliveryFor(body)
  const session = currentMarker()
  deliveries.add(one)
  try {
    for (let tries = 1; ; tries++) {
      const heard = await attempt(ask, one, hasFiles(body), ended)
      if (heard instanceof Response) {
        deliveries.delete(one)
        noteAnswer(one.form, heard)
        return heard
      }
      show(one, { why: heard.why, state: 'waits' })
      await chance(one, Math.max(heard.after, pauseAfter(tries)), ended)
      // Signed in again, perhaps as another person: the page is made anew, and its words come back to their writer only.
      if (currentMarker() !== session) {
        reloadPage()
        await new Promise(() => {})
      }
      if (heard.why === 'offline') tries = 0
      show(one, { state: 'sending' })
    }
  } finally {
    deliveries.delete(one)
    tell()
  }
}

function deliveryFor(body: Body): Delivery {
  const form = formOfKey.get(String(body.get('formKey'))) ?? null
  formOfKey.delete(String(body.get('formKey')))
  const keys = ['formKey', 'requestKey'].flatMap((name): Delivery['keys'] => {
    const value = body.get(name)
    return typeof value === 'string' ? [[name, value]] : []
  })
  return { form, keys, shown: null, inputs: new EventTarget(), isEdited: false, since: Date.now() }
}

const hasFiles = (body: Body): body is FormData =>
  body instanceof FormData && [...body.values()].some((value) => typeof value !== 'string' && value.size > 0)

/** Whether we ourselves load the page anew. */
export let isReloading = false

/** Loads the page anew, whatever is on it: its words are on the device. */
export function reloadPage(): void {
  isReloading = true
  location.reload()
}

const currentMarker = () => markerIn(document.cookie)

function noteAnswer(form: HTMLFormElement | null, { headers, status }: Response): void {
  noteNetwork(true)
  if (!form) return
  resumed.delete(form)
  const session = headers.get('x-session') ?? 'none'
  for (const listener of [...listeners]) listener(form, status < 400, session === 'none' ? '' : session)
}

/** Milliseconds before the next try: 2 s, 4 s … half a minute, and up to a quarter more. */
const pauseAfter = (tries: number) => Math.min(2_000 * 2 ** (tries - 1), 30_000) * (1 + Math.random() / 4)

type Lost = { why: 'offline' | 'unreachable'; after: number }

async function attempt(
  ask: Ask,
  one: Delivery,
  withFiles: boolean,
  ended?: AbortSignal | null,
): Promise<Response | Lost> {
  const late = new AbortController()
  const end = () => late.abort(ended?.reason)
  ended?.addEventListener('abort', end)
  const slow = setTimeout(() => show(one, { why: 'slow', state: 'sending' }), patience.slow)
  const over = setTimeout(() => late.abort(), withFiles ? patience.withFiles : patience.longest)
  try {
    const answer = await ask(late.signal)
    if (!isForLater(answer)) return answer
    return { why: 'unreachable', after: Number(answer.headers.get('retry-after')) * 1_000 || 0 }
  } catch (error) {
    if (ended?.aborted) throw error
    noteNetwork(false)
    return { why: navigator.onLine ? 'unreachable' : 'offline', after: 0 }
  } finally {
    clearTimeout(slow)
    clearTimeout(over)
    ended?.removeEventListener('abort', end)
  }
}

/** Of a proxy before the server, or of a server that can do nothing now or has waited too long; not what a screen itself refuses. */
const isForLater = ({ headers, status }: Response) =>
  status === 408 ||
  status === 502 ||
  status === 504 ||
  (status === 503 && headers.get(overload.answered) !== 'own')

/** Waits until it may be sent again: by a tap, when the network is back, or after so many milliseconds. */
function chance(one: Delivery, wait: number, ended?: AbortSignal | null): Promise<void> {
  const over = new AbortController()
  const { promise, reject, resolve } = Promise.withResolvers<void>()
  const on = (target: EventTarget, type: string, hear: (event: Event) => void) =>
    target.addEventListener(type, hear, { signal: over.signal })
  const byItself = () => {
    if (Date.now() - one.since > alone) show(one, { state: 'asks' })
    else if (navigator.onLine && document.visibilityState === 'visible' && !one.isEdited) resolve()
  }
  const timer = setTimeout(byItself, wait)
  const stop = watchNetwork(() => isLost() || byItself())
  on(window, 'online', byItself)
  on(document, 'visibilitychange', byItself)
  on(one.inputs, 'send', () => resolve())
  // Half a sentence must not go out by itself.
  on(document, 'input', ({ isTrusted, target }) => {
    if (one.isEdited || !isTrusted || !one.form?.contains(target as Node)) return
    one.isEdited = true
    show(one, { state: 'asks' })
  })
  if (ended) on(ended, 'abort', () => reject(ended.reason))
  return promise.finally(() => {
    clearTimeout(timer)
    stop()
    over.abort()
  })
}

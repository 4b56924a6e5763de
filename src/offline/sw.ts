/// <reference lib="webworker" />
import { cacheNames } from 'workbox-core'
import type { WorkboxPlugin } from 'workbox-core/types.js'
import { precache } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { NetworkFirst, NetworkOnly } from 'workbox-strategies'
import { fetchAgain, fetchAhead, fetchPage, leftPage, notKeptPage } from './fetch-ahead.ts'
import {
  dataOf,
  doubt,
  drop,
  forget,
  hear,
  isDoubted,
  isKeptPath,
  isOwn,
  isPicture,
  isSameAddress,
  isToBeKept,
  isWholePage,
  keepPage,
  pageKeyOf,
  pagePathOf,
  pages,
  patience,
  patienceFor,
  pictures,
} from './kept-pages.ts'
import { leftCache, type WorkerMessage, type WorkerRequest } from './worker-messages.ts'

declare const self: ServiceWorkerGlobalScope

/** Our built files, written in by the build: what a technician's screens need, and the rest. */
declare const builtFiles: Record<'first' | 'rest', { url: string; revision: string | null }[]>

// What an older version keeps stays until none of its pages is open. What an install that failed has got is not asked again.
const { first, rest } = builtFiles
precache(first)
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

const styles = first.map(({ url }) => url).filter((url) => url.endsWith('.css'))
const isPage = ({ mode }: Request) => mode === 'navigate'
const isData = ({ pathname }: URL) => pathname.endsWith('.data')

let last: 'lost' | 'found' = 'found'
/** By this worker's clock, when the server answered last. */
let foundAt = 0

/** Notifies the open pages when the server is lost, and when it is there again. */
async function tell(news: typeof last): Promise<void> {
  if (news === 'found') foundAt = performance.now()
  // Each page also looks for the server by itself, and may have found it since.
  if (news === last && news === 'found') return
  last = news
  for (const page of await self.clients.matchAll()) page.postMessage(news)
}

/** The answer of the network that came after the page it was asked for had got the kept one. */
type Late = { client: string; path: string; answer: Response | null }
let late: Late | null = null
/** By page, the path that has a newer answer, until the page could hear it; of the last ones only. */
const unheard = new Map<string, string>()
const mostUnheard = 20
/** Milliseconds for which a late answer counts as the newest. */
const newFor = 5_000

const post = async (client: string, news: WorkerMessage) =>
  (await self.clients.get(client))?.postMessage(news)

/**
 * Tells a page that what it shows is older than what the network has answered since. Data is for that page's next
 * request, with the toast that it may bring; a document is not what a page asks for.
 */
async function tellNewer({ request, event, response }: Answered): Promise<void> {
  const { clientId, resultingClientId } = event as FetchEvent
  const client = resultingClientId || clientId
  const path = pagePathOf(request.url)
  const own: Late = { client, path, answer: isPage(request) ? null : response.clone() }
  late = own
  // Not for a visit to the same page some time later, nor where it was only fetched ahead of a tap.
  setTimeout(() => (own.answer = null), newFor)
  unheard.set(client, path)
  for (const one of unheard.keys()) if (unheard.size > mostUnheard) unheard.delete(one)
  await post(client, { newer: path })
}
type Answered = { request: Request; event: ExtendableEvent; response: Response }

/** The late answer, once, for the page that it was for. */
function takeLate({ clientId, request }: FetchEvent): Response | null {
  const isMeant = late?.client === clientId && late.path === pagePathOf(request.url)
  if (!late || !isMeant || isPage(request) || !isWholePage(request.url)) return null
  const { answer } = late
  late = null
  return answer
}

/** One request of a kept page: whether it got the kept answer, and what tells that the network gives none. */
type Course = { isAnswered?: boolean; isKeptShown?: boolean; timer?: ReturnType<typeof setTimeout> }

const listening: WorkboxPlugin = {
  requestWillFetch: async ({ request, state }) => {
    const course = state as Course
    const began = performance.now()
    // One that hangs since the network was dead says nothing of it now.
    const over = () => foundAt < began && void tell('lost')
    course.timer = setTimeout(over, patience.newest * 1000)
    return request
  },
  fetchDidSucceed: async ({ event, request, response, state }) => {
    const course = state as Course
    course.isAnswered = true
    clearTimeout(course.timer)
    await Promise.all([hear(response), tell('found')])
    if (course.isKeptShown && response.status < 500) await tellNewer({ event, request, response })
    return response
  },
  fetchDidFail: async ({ originalRequest, state }) => {
    clearTimeout((state as Course).timer)
    // Whose page went elsewhere meanwhile says nothing about the network.
    if (!originalRequest.signal.aborted) await tell('lost')
  },
  cacheKeyWillBeUsed: async ({ request }) => pageKeyOf(request.url),
  cachedResponseWillBeUsed: async ({ cachedResponse, state }) => {
    const course = state as Course
    if (!cachedResponse || !(await isOwn(cachedResponse)) || course.isAnswered) return null
    course.isKeptShown = true
    return cachedResponse
  },
  // We keep it ourselves, one change at a time.
  cacheWillUpdate: async ({ request, response }) => {
    if (isToBeKept(request)) await keepPage(request.url, response.clone())
    return null
  },
}
const instead: WorkboxPlugin = {
  handlerDidError: async ({ request }) => (isPage(request) ? notKeptPage(styles) : undefined),
}

const own = (networkTimeoutSeconds: number) =>
  new NetworkFirst({ cacheName: pages, networkTimeoutSeconds, plugins: [listening, instead] })
const strategies = { lost: own(patience.lost), kept: own(patience.kept), newest: own(patience.newest) }
const others = new NetworkOnly({ plugins: [listening, instead] })

/** A kept page, at once where the network does not answer, or what came too late for the page that asks again. */
async function answerKept(event: FetchEvent): Promise<Response> {
  const { request, clientId } = event
  const taken = takeLate(event)
  if (taken) return taken
  const page = isPage(request) ? undefined : await self.clients.get(clientId)
  const wait = patienceFor({
    isWhole: isWholePage(request.url),
    isOpen: page !== undefined && isSameAddress(page.url, request.url),
    isDoubted: isDoubted(request.url),
    isLost: last === 'lost',
  })
  return strategies[wait].handle({ event, request })
}

/** Files of any version: a kept page may be newer than the worker, which then waits with that page's files. */
registerRoute(
  ({ url, sameOrigin }) =>
    sameOrigin && (url.pathname.startsWith('/assets/') || url.pathname === '/favicon.svg'),
  async ({ request }) => (await caches.match(request, { ignoreSearch: true })) ?? fetch(request),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isPicture(url.pathname),
  async ({ request }) => {
    const known = await (await caches.open(pictures)).match(pageKeyOf(request.url))
    return known && (await isOwn(known)) ? known : fetch(request)
  },
)
registerRoute(
  ({ url, request, sameOrigin }) => sameOrigin && (isPage(request) || isData(url)),
  ({ event, request, url }) =>
    afterLeaving(request, () =>
      isKeptPath(url.pathname) ? answerKept(event as FetchEvent) : others.handle({ event, request }),
    ),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && ['/signout', '/v1/session/sign-out'].includes(url.pathname),
  async ({ request }) => {
    const answer = await fetch(request)
    await forget()
    return answer
  },
  'POST',
)
// Without a script's help a form is a document of its own, which the browser fetches by itself. The page that follows is
// asked for once that was answered, and carries its toast.
self.addEventListener('fetch', ({ request }) => {
  if (request.method !== 'POST' || !isPage(request)) return
  doubt()
  last = 'found'
})
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isData(url),
  async ({ event, request, url }) => {
    const answer = await fetch(request)
    await Promise.all([hear(answer), tell('found')])
    doubt()
    if (!isKeptPath(url.pathname)) return answer
    await drop(request.url)
    const path = url.pathname.replace(/\.data$/, '')
    if (path !== dataOf(path)) event.waitUntil(fetchPage(path).catch(() => undefined))
    return answer
  },
  'POST',
)

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  const asked = event.data as WorkerRequest
  if (asked === 'take-over') event.waitUntil(self.skipWaiting())
  else if (asked === 'found') event.waitUntil(tell('found'))
  else if (asked === 'network') event.waitUntil(tellFirst((event.source as Client).id))
  else if ('again' in asked)
    event.waitUntil(
      fetchAgain(asked.again).then(
        () => event.ports[0]?.postMessage(true),
        () => event.ports[0]?.postMessage(false),
      ),
    )
  else
    event.waitUntil(
      fetchAhead(asked.ahead)
        .then(fetchRest)
        .catch(() => undefined),
    )
})

/** The files of other screens, once the day is here. */
async function fetchRest() {
  const kept = await caches.open(cacheNames.precache)
  for (const { url } of rest) if (!(await kept.match(url))) await kept.add(url)
}

/** What a page that opens now has to know: before it could hear there was nobody to notify. */
async function tellFirst(client: string): Promise<void> {
  await post(client, last)
  const path = unheard.get(client)
  unheard.delete(client)
  if (path !== undefined) await post(client, { newer: path })
}

/** After a sign-out without a network the server receives it before any other request. */
async function afterLeaving(request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (!(await caches.has(leftCache))) return answer()
  const heard = await signOut()
  if (heard) return answer()
  return isPage(request) ? leftPage(styles) : Response.error()
}

async function signOut(): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch('/v1/session/sign-out', { method: 'POST', headers, body: '{}' }).catch(
    () => null,
  )
  await forget()
  return answer?.ok === true && caches.delete(leftCache)
}

/// <reference lib="webworker" />
import type { WorkboxPlugin } from 'workbox-core/types.js'
import { precache } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { NetworkFirst, NetworkOnly, type Strategy } from 'workbox-strategies'
import { fetchAgain, fetchAhead, fetchPage, leftPage, notKeptPage } from './fetch-ahead.ts'
import {
  dataOf,
  drop,
  forget,
  hear,
  isKeptPath,
  isOwn,
  isPicture,
  isToBeKept,
  keepPage,
  pageKeyOf,
  pages,
  pictures,
} from './kept-pages.ts'
import { leftCache, type WorkerMessage, type WorkerRequest } from './worker-messages.ts'

declare const self: ServiceWorkerGlobalScope

/** Our built files, written in by the build. */
declare const builtFiles: { url: string; revision: string | null }[]

// What an older version keeps stays until none of its pages is open.
const files = builtFiles
precache(files)
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

const styles = files.map(({ url }) => url).filter((url) => url.endsWith('.css'))
const isPage = ({ mode }: Request) => mode === 'navigate'
const isData = ({ pathname }: URL) => pathname.endsWith('.data')

let last: WorkerMessage = 'found'

/** What a page that opens now receives: at the request that loaded it there was no page to notify. */
const lastNews = (): WorkerMessage => last

/** Notifies the open pages when the server is lost, and when it is there again. */
async function tell(news: WorkerMessage): Promise<void> {
  if (news === last) return
  last = news
  for (const page of await self.clients.matchAll()) page.postMessage(news)
}

/** Seconds a page may take before the one that was kept is shown. */
const patience = 4

const listening: WorkboxPlugin = {
  fetchDidSucceed: async ({ response }) => {
    await Promise.all([hear(response), tell('found')])
    return response
  },
  fetchDidFail: () => tell('lost'),
}
const kept: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => pageKeyOf(request.url),
  cachedResponseWillBeUsed: async ({ cachedResponse }) =>
    cachedResponse && (await isOwn(cachedResponse)) ? cachedResponse : null,
  // We keep it ourselves, one change at a time.
  cacheWillUpdate: async ({ request, response }) => {
    if (isToBeKept(request)) await keepPage(request.url, response.clone())
    return null
  },
}
const instead: WorkboxPlugin = {
  handlerDidError: async ({ request }) => (isPage(request) ? notKeptPage(styles) : undefined),
}

const own = new NetworkFirst({
  cacheName: pages,
  networkTimeoutSeconds: patience,
  plugins: [listening, kept, instead],
})
const others = new NetworkOnly({ plugins: [listening, instead] })

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
    afterLeaving(request, () => answerTo(isKeptPath(url.pathname) ? own : others, event, request)),
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
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && isKeptPath(url.pathname) && isData(url),
  async ({ event, request, url }) => {
    const answer = await fetch(request)
    await hear(answer)
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
  else if (asked === 'network') event.source?.postMessage(lastNews())
  else if ('again' in asked)
    event.waitUntil(
      fetchAgain(asked.again).then(
        () => event.ports[0]?.postMessage(true),
        () => event.ports[0]?.postMessage(false),
      ),
    )
  else event.waitUntil(fetchAhead(asked.ahead).catch(() => undefined))
})

const answerTo = (strategy: Strategy, event: ExtendableEvent, request: Request) =>
  strategy.handle({ event, request })

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

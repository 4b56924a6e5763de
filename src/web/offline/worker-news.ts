/// <reference lib="webworker" />
import type { WorkerMessage } from './worker-messages.ts'

declare const self: ServiceWorkerGlobalScope

let last: WorkerMessage = 'found'

/** What a page hears that opens now: the request that brought it found nobody to tell. */
export const lastNews = (): WorkerMessage => last

/** Tells the open pages when the server is lost, and when it is there again. */
export async function tell(news: WorkerMessage): Promise<void> {
  if (news === last) return
  last = news
  for (const page of await self.clients.matchAll()) page.postMessage(news)
}

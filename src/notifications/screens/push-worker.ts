/// <reference lib="webworker" />
import type { ShownNotice } from './device-notices.tsx'

declare const self: ServiceWorkerGlobalScope

// It shows news and controls no page: its scope holds none, and the technicians' worker (offline/sw.ts) is another.

self.addEventListener('push', (event) => {
  const told = event.data?.json() as ShownNotice | undefined
  if (told) event.waitUntil(show(told))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(Promise.all([open(addressIn(event.notification.data)), count()]))
})
self.addEventListener('notificationclose', (event) => event.waitUntil(count()))

async function show({ body, tag, title, url }: ShownNotice) {
  const look = { icon: '/icons/icon-192.png', badge: '/icons/badge-96.png', lang: 'es-MX' }
  await self.registration.showNotification(title, { ...look, body, tag, data: url })
  await count()
}

/** The number on the installed application's icon: the notices that nobody opened yet. */
async function count() {
  const { length } = await self.registration.getNotifications()
  await (length > 0 ? navigator.setAppBadge?.(length) : navigator.clearAppBadge?.())?.catch(() => {})
}

/** An address of ours, whatever was sent. */
function addressIn(sent: unknown): URL {
  const url = new URL(String(sent), self.location.origin)
  return url.origin === self.location.origin ? url : new URL('/', self.location.origin)
}

/** The tab that already shows it, or a new one. */
async function open(address: URL) {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = tabs.find(({ url }) => url === address.href)
  await (shown ? shown.focus() : self.clients.openWindow(address))
}

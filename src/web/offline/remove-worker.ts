import { keptCaches } from './worker-messages.ts'

/** Removes the service worker and the caches of a technician's phone, where another person is signed in now. */
export async function removeWorker(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? []
  // The one that shows news has a scope of its own (web/notifications/push-worker.ts); it ends with its session.
  const own = registrations.filter(({ scope }) => new URL(scope).pathname === '/')
  await Promise.all(own.map((registration) => registration.unregister()))
  await Promise.all(keptCaches.map((name) => caches.delete(name)))
}

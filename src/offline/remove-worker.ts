import { keptCaches, leftCache } from './worker-messages.ts'

/** Removes the service worker and the caches of a technician's phone, where another person is signed in now. */
export async function removeWorker(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? []
  // The one that shows news has a scope of its own (notifications/screens/push-worker.ts); it ends with its session.
  const own = registrations.filter(({ scope }) => new URL(scope).pathname === '/')
  await Promise.all(own.map((registration) => registration.unregister()))
  await Promise.all(keptCaches.map((name) => caches.delete(name)))
}

/** Signs out on this phone alone: nothing kept is shown any more, and the server receives it before anything else. */
export async function leaveOffline(): Promise<void> {
  await caches.open(leftCache)
  await Promise.all(keptCaches.map((name) => caches.delete(name)))
  location.assign('/signin')
}

import { keptCaches } from './worker-messages.ts'

/** Removes the service worker and the caches of a technician's phone, where another person is signed in now. */
export async function removeWorker(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? []
  await Promise.all(registrations.map((registration) => registration.unregister()))
  await Promise.all(keptCaches.map((name) => caches.delete(name)))
}

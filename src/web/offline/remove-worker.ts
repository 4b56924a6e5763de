import { keptCaches } from './worker-messages.ts'

/** Takes away what a technician's phone was given, where somebody else is signed in now. */
export async function removeWorker(): Promise<void> {
  const registrations = (await navigator.serviceWorker?.getRegistrations()) ?? []
  await Promise.all(registrations.map((registration) => registration.unregister()))
  await Promise.all(keptCaches.map((name) => caches.delete(name)))
}

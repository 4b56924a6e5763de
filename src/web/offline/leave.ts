import { keptCaches, leftCache } from './worker-messages.ts'

/** Whether this phone can be left without a network: its service worker sees to the rest once there is one. */
export const canLeaveOffline = () => Boolean(navigator.serviceWorker?.controller)

/** Signs out on this phone alone: nothing kept is shown any more, and the server hears of it before anything else. */
export async function leaveOffline(): Promise<void> {
  await caches.open(leftCache)
  await Promise.all(keptCaches.map((name) => caches.delete(name)))
  location.assign('/signin')
}

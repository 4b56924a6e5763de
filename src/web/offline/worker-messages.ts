/** What a page asks of the service worker. */
export type WorkerRequest =
  /** Report whether the server could be reached last, and what came too late for this page. */
  | 'network'
  /** Fetch the day and the next of this person, with what belongs to them. */
  | { ahead: string }
  /** Fetch again those of these pages that are kept, and answer on the port whether they were. */
  | { again: string[] }
  /** A new version: replace the old one now. */
  | 'take-over'

/**
 * What the service worker sends its pages: whether the server could be reached; that the network has answered since
 * the kept page of this path was shown.
 */
export type WorkerMessage = 'lost' | 'found' | { newer: string }

/** The caches that hold personal data. */
export const keptCaches = ['pages', 'pictures'] as const

/** The cache that exists from a sign-out without a network until the server has received it. */
export const leftCache = 'left'

/** Whether this phone can sign out without a network: its service worker does the rest once there is one. */
export const canLeaveOffline = () => Boolean(navigator.serviceWorker?.controller)

/** Signs out on this phone alone: nothing kept is shown any more, and the server receives it before anything else. */
export async function leaveOffline(): Promise<void> {
  await caches.open(leftCache)
  await Promise.all(keptCaches.map((name) => caches.delete(name)))
  location.assign('/signin')
}

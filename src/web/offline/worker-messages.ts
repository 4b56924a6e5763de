/** What a page asks of the service worker. */
export type WorkerRequest =
  /** Tell whether the server could be reached last. */
  | 'network'
  /** Fetch the day and the next of this person, with what belongs to them. */
  | { ahead: string }
  /** Fetch again those of these pages that are kept, and answer on the port whether they were. */
  | { again: string[] }
  /** A new version: replace the old one now. */
  | 'take-over'

/** What the service worker tells its pages: whether the server could be reached. */
export type WorkerMessage = 'lost' | 'found'

/** The caches that hold something of a person's. */
export const keptCaches = ['pages', 'pictures'] as const

/** The cache that exists from a sign-out without a network until the server has heard of it. */
export const leftCache = 'left'

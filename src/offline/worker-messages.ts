/** What a page asks of the service worker. */
export type WorkerRequest =
  /** Report whether the server could be reached last, and what came too late for this page. */
  | 'network'
  /** The page has reached the server again. */
  | 'found'
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

/** What a sign-out asks first: whether somebody is to decide, who then does it later, or never. */
export const beforeLeaving: { asks: ((leave: () => void) => boolean) | null } = { asks: null }

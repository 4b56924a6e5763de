export type ToastVariant = 'default' | 'success' | 'destructive'
type ToastMessage = {
  title: string
  description: string
  variant?: ToastVariant | undefined
  /** The changes that it offers to undo. */
  undo?: string | undefined
  /** The path that it is told at, where the user only goes there with it. */
  at?: string
}
export type ToastEntry = ToastMessage & { id: number; open: boolean }

/**
 * The toasts of a page: the newest in front and no more than the limit, each kept for a while after it was dismissed.
 * Readers subscribe; the list they read is replaced at each change, never altered.
 */
export function createToastQueue() {
  let entries: readonly ToastEntry[] = []
  let last = 0
  const readers = new Set<() => void>()
  const removals = new Map<number, ReturnType<typeof setTimeout>>()

  const become = (next: readonly ToastEntry[]) => {
    entries = next
    for (const [id, timer] of removals) if (!entries.some((entry) => entry.id === id)) forget(id, timer)
    for (const tell of readers) tell()
  }
  const forget = (id: number, timer: ReturnType<typeof setTimeout>) => {
    clearTimeout(timer)
    removals.delete(id)
  }
  const remove = (id: number) => become(entries.filter((entry) => entry.id !== id))
  const dismiss = (id: number) => {
    if (!entries.some((entry) => entry.id === id && entry.open)) return
    removals.set(id, setTimeout(remove, toastLimits.removeDelay, id))
    become(entries.map((entry) => (entry.id === id ? { ...entry, open: false } : entry)))
  }

  return {
    entries: () => entries,
    subscribe(reader: () => void) {
      readers.add(reader)
      return () => void readers.delete(reader)
    },
    raise(message: ToastMessage) {
      last += 1
      become([{ ...message, id: last, open: true }, ...entries].slice(0, toastLimits.atOnce))
    },
    dismiss,
    /** The user goes to the page at a path: what went well on this one is not told over the next. */
    leave(to: string) {
      for (const { at, id, undo, variant } of entries)
        if (variant !== 'destructive' && !undo && at !== to) dismiss(id)
    },
  }
}

/** Where the changes that a toast offers to undo are sent. */
export const undoPath = '/admin/deshacer'

export type ToastQueue = ReturnType<typeof createToastQueue>

/** Every constant of the toast, with the section of the specification it comes from. */
export const toastLimits = {
  /** Toasts shown at once (§4, §9). */
  atOnce: 1,
  /** Milliseconds until it closes by itself; the time stops while it is hovered or focused (§4, §9). */
  duration: 5000,
  /** Pixels to the right after which a swipe closes it (§4, §9). */
  swipeThreshold: 50,
  swipeDirection: 'right',
  /** The key that moves the focus to the toasts (§9). */
  hotkey: 'F8',
  /** Milliseconds a dismissed toast is still kept before it is removed (§4, §9). */
  removeDelay: 1_000_000,
} as const

/**
 * Where toasts stand: at the foot, above the action bar of the page and beside the board's panel. Widest from md on:
 * 420 px (§9). Written out, since Tailwind reads class names as text.
 */
export const toastAreaClass =
  'pointer-events-none fixed right-0 bottom-[max(var(--action-bar,0px),env(safe-area-inset-bottom))] z-50 grid w-full p-4 *:pointer-events-auto md:max-w-[420px] lg:[:root:has([data-side-panel])_&]:right-96'

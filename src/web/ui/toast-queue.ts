import { toastLimits } from './toast-limits.ts'

export type ToastVariant = 'default' | 'success' | 'destructive'
export type ToastMessage = {
  title: string
  description: string
  variant?: ToastVariant | undefined
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
    dismiss(id: number) {
      if (!entries.some((entry) => entry.id === id && entry.open)) return
      removals.set(id, setTimeout(remove, toastLimits.removeDelay, id))
      become(entries.map((entry) => (entry.id === id ? { ...entry, open: false } : entry)))
    },
  }
}

export type ToastQueue = ReturnType<typeof createToastQueue>

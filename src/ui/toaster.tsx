import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLocation } from 'react-router'
import type { Tone } from '../shared/state-machine.ts'
import { Alert } from './alert.tsx'
import type { ToastAreaProps } from './toast-area.tsx'
import {
  createToastQueue,
  type ToastEntry,
  type ToastQueue,
  type ToastVariant,
  toastAreaClass,
  toastLimits,
} from './toast-queue.ts'

const toneOf: Record<ToastVariant, Tone> = { default: 'info', success: 'ok', destructive: 'bad' }

/**
 * A toast where the code that shows toasts could not be fetched, often for the cause it reports: without the swipe,
 * the rest alike.
 */
function PlainArea({ entries, dismiss }: ToastAreaProps) {
  const entry = entries.find(({ open }) => open)
  if (!entry) return null
  return (
    <div className={toastAreaClass}>
      <PlainToast key={entry.id} entry={entry} onClose={() => dismiss(entry.id)} />
    </div>
  )
}

function PlainToast({ entry, onClose }: { entry: ToastEntry; onClose: () => void }) {
  const { title, description, variant = 'default' } = entry
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  const hold = useTimeLeft(() => close.current())
  useEffect(() => {
    const gone = new AbortController()
    const on = (target: EventTarget, name: string, heard: (event: Event) => void) =>
      target.addEventListener(name, heard, { signal: gone.signal })
    if (box.current)
      for (const [held, ...names] of [
        [true, 'pointerenter', 'focusin'],
        [false, 'pointerleave', 'focusout'],
      ] as const)
        for (const name of names) on(box.current, name, () => hold(held))
    on(document, 'keydown', (event) => {
      const { key } = event as KeyboardEvent
      if (key === 'Escape') close.current()
      if (key === toastLimits.hotkey) button.current?.focus()
    })
    return () => gone.abort()
  }, [hold])
  return (
    <div ref={box} role={variant === 'destructive' ? 'alert' : 'status'}>
      <Alert
        tone={toneOf[variant]}
        title={title}
        className="shadow-float"
        actions={
          <button
            ref={button}
            type="button"
            onClick={onClose}
            className="min-h-11 font-semibold underline underline-offset-4"
          >
            Cerrar aviso
          </button>
        }
      >
        {description}
      </Alert>
    </div>
  )
}

/** Calls `over` when a toast's time is over. The returned function pauses that time, and resumes it. */
function useTimeLeft(over: () => void): (held: boolean) => void {
  const [held, hold] = useState(false)
  const left = useRef<number>(toastLimits.duration)
  const end = useRef(over)
  end.current = over
  useEffect(() => {
    if (held) return
    const since = Date.now()
    const timer = setTimeout(() => end.current(), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - since
    }
  }, [held])
  return hold
}

const Queue = createContext<ToastQueue | null>(null)

/** The function that shows a toast: `toast({ title, description, variant })`. Always the same function. */
export function useToast(): ToastQueue['raise'] {
  const queue = useContext(Queue)
  if (!queue) throw new Error('useToast needs a Toaster above it')
  return queue.raise
}

/** Gives its children `useToast`, and shows their toasts. */
export function Toaster({ children }: { children: ReactNode }) {
  const [queue] = useState(createToastQueue)
  return (
    <Queue value={queue}>
      {/* Before the children: the toast of a redirect is raised by one of them, at the address it belongs to. */}
      <Leaving queue={queue} />
      {children}
      <Toasts queue={queue} />
    </Queue>
  )
}

/** Closes what was told of a page when the user goes to another one. */
function Leaving({ queue }: { queue: ToastQueue }) {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    queue.leave(pathname)
  }, [pathname, queue])
  return null
}

// Most visits to a page show no toast: its code loads once the page is idle, or with the first.
const load = () => import('./toast-area.tsx')
const none: readonly ToastEntry[] = []

/** Loads the code early: a toast often reports that the network is gone, and the code could not load then. */
function fetchAhead() {
  const fetch = () => void load().catch(() => null)
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(fetch, 2_000)
    return () => clearTimeout(timer)
  }
  const asked = requestIdleCallback(fetch, { timeout: 10_000 })
  return () => cancelIdleCallback(asked)
}

function Toasts({ queue }: { queue: ToastQueue }) {
  useEffect(fetchAhead, [])
  const entries = useSyncExternalStore(queue.subscribe, queue.entries, () => none)
  const Area = useArea(entries[0]?.id)
  return Area && entries.length > 0 && <Area entries={entries} dismiss={queue.dismiss} />
}

type Area = ComponentType<ToastAreaProps>

/** What shows toasts; its stand-in where that did not load, which each toast retries. Nothing before the first. */
function useArea(toast: number | undefined): Area | null {
  const [area, become] = useState<Area | null>(null)
  const missing = area === null || area === PlainArea
  useEffect(() => {
    if (toast === undefined || !missing) return
    load().then(
      ({ ToastArea }) => become(() => ToastArea),
      () => become(() => PlainArea),
    )
  }, [toast, missing])
  return area
}

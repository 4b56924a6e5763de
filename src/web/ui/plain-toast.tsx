import { useEffect, useRef, useState } from 'react'
import type { Tone } from '../../domain/shared/state-machine.ts'
import { Alert } from './alert.tsx'
import { classNames } from './class-names.ts'
import type { ToastAreaProps } from './toast-area.tsx'
import { toastAreaClass, toastLimits } from './toast-limits.ts'
import type { ToastEntry, ToastVariant } from './toast-queue.ts'

const toneOf: Record<ToastVariant, Tone> = { default: 'info', success: 'ok', destructive: 'bad' }

/** A toast where the code that shows toasts could not be fetched, often by what it tells of: without the swipe, the rest alike. */
export function PlainArea({ entries, dismiss }: ToastAreaProps) {
  const entry = entries.find(({ open }) => open)
  if (!entry) return null
  return (
    <div
      className={classNames(
        'fixed top-0 right-0 z-50 grid w-full p-4 md:top-auto md:bottom-0',
        toastAreaClass,
      )}
    >
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

/** Says when a toast's time is over. What comes back holds that time, and lets it go on. */
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

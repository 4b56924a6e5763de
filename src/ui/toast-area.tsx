import { CircleAlert, CircleCheck, Info, type LucideIcon, X } from 'lucide-react'
import * as Toast from 'radix-ui/toast'
import { useRef } from 'react'
import { useLocation, useSubmit } from 'react-router'
import { classNames } from './class-names.ts'
import {
  type ToastEntry,
  type ToastQueue,
  type ToastVariant,
  toastAreaClass,
  toastLimits,
  undoPath,
} from './toast-queue.ts'

export type ToastAreaProps = { entries: readonly ToastEntry[]; dismiss: ToastQueue['dismiss'] }

/** The toasts of a page: swiped away, paused under the pointer, reached by F8, announced. */
export function ToastArea({ entries, dismiss }: ToastAreaProps) {
  const viewport = useRef<HTMLOListElement>(null)
  const before = useRef<HTMLElement>(null)
  const close = (id: ToastEntry['id']) => {
    dismiss(id)
    // The library leaves the focus on the list, which is empty then.
    if (document.activeElement === viewport.current) before.current?.focus()
  }
  return (
    <Toast.Provider
      duration={toastLimits.duration}
      swipeThreshold={toastLimits.swipeThreshold}
      swipeDirection={toastLimits.swipeDirection}
      label="Aviso"
    >
      {entries.map((entry) => (
        <Message key={entry.id} entry={entry} onClose={() => close(entry.id)} />
      ))}
      <Toast.Viewport
        ref={viewport}
        onFocus={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null
        }}
        // An open dialog hides from screen readers what is not marked as live; each toast announces itself.
        aria-live="off"
        hotkey={[toastLimits.hotkey]}
        label="Avisos ({hotkey})"
        className={classNames('gap-2 outline-none', toastAreaClass)}
      />
    </Toast.Provider>
  )
}

const looks: Record<ToastVariant, { icon: LucideIcon; ink: string }> = {
  default: { icon: Info, ink: 'text-info' },
  success: { icon: CircleCheck, ink: 'text-brand' },
  destructive: { icon: CircleAlert, ink: 'text-bad' },
}

function Message({ entry, onClose }: { entry: ToastEntry; onClose: () => void }) {
  const { icon: Icon, ink } = looks[entry.variant ?? 'default']
  return (
    <Toast.Root
      type={entry.variant === 'destructive' ? 'foreground' : 'background'}
      open={entry.open}
      onOpenChange={(open) => open || onClose()}
      className="flex items-start gap-3 rounded-card border border-line bg-card py-2 pr-2 pl-4 shadow-float data-[state=closed]:animate-toast-out data-[state=open]:animate-rise data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=end]:animate-toast-out data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      <Icon aria-hidden className={classNames('mt-2.5 size-5 shrink-0', ink)} />
      <div className="grid min-w-0 flex-1 gap-0.5 py-2 wrap-anywhere">
        <Toast.Title className="font-semibold">{entry.title}</Toast.Title>
        <Toast.Description className="text-[0.9375rem] text-mute">{entry.description}</Toast.Description>
        {entry.undo && <Undo changes={entry.undo} />}
      </div>
      <Toast.Close
        aria-label="Cerrar aviso"
        className="grid size-11 shrink-0 place-items-center rounded-control text-mute hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-5" />
      </Toast.Close>
    </Toast.Root>
  )
}

/** Takes back what the toast says was done. It is sent by a script: closed, the toast takes a form with it. */
function Undo({ changes }: { changes: string }) {
  const submit = useSubmit()
  const { pathname, search } = useLocation()
  const send = () => void submit({ changes, back: pathname + search }, { method: 'post', action: undoPath })
  return (
    <Toast.Action
      altText="Deshacer el cambio"
      onClick={send}
      className="min-h-11 justify-self-start font-semibold text-brand underline underline-offset-4"
    >
      Deshacer
    </Toast.Action>
  )
}

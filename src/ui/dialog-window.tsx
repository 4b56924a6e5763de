import { X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type DialogWindowProps = {
  /** Left out where it is open as long as it is there. */
  open?: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  /** What gets the focus once it is closed. */
  focusAfter?: () => HTMLElement | null
  children: ReactNode
}

/** A dialog in front of its page; its trigger is elsewhere. */
export function DialogWindow({ open = true, onClose, ...content }: DialogWindowProps) {
  return (
    <Primitive.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
        <Content {...content} />
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type ContentProps = Omit<DialogWindowProps, 'open' | 'onClose'>

function Content({ title, description, children, focusAfter }: ContentProps) {
  return (
    <Primitive.Content
      {...(!description && { 'aria-describedby': undefined })}
      onCloseAutoFocus={(event) => {
        if (!focusAfter) return
        event.preventDefault()
        focusAfter()?.focus()
      }}
      className={classNames(
        'fixed inset-x-0 bottom-0 z-40 grid max-h-[90dvh] gap-4 overflow-y-auto rounded-t-2xl bg-card p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-rise',
        'sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:max-w-lg sm:-translate-y-1/2 sm:rounded-card',
      )}
    >
      <div className="grid gap-1 pr-12">
        <Primitive.Title className="text-lg font-semibold">{title}</Primitive.Title>
        {description && <Primitive.Description className="text-mute">{description}</Primitive.Description>}
      </div>
      {children}
      <Primitive.Close aria-label="Cerrar" className={closeClass}>
        <X aria-hidden className="size-5" />
      </Primitive.Close>
    </Primitive.Content>
  )
}

const closeClass =
  'absolute top-3 right-3 grid size-11 place-items-center rounded-control text-mute hover:bg-hover hover:text-ink'

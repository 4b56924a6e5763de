import { X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { type ReactNode, type Ref, useRef } from 'react'
import { type ButtonVariant, buttonClass, LinkButton } from './button.tsx'
import { cardClass } from './card.tsx'
import { classNames } from './class-names.ts'
import { useHydrated } from './hydrated.ts'

type DialogProps = {
  /** The words on the button that opens it. */
  trigger: ReactNode
  variant?: ButtonVariant
  title: string
  description?: ReactNode
  /** Where the same can be done without JavaScript; without it, the content opens in place. */
  href?: string
  /** Whether it starts open, as after a form in it came back with errors. */
  defaultOpen?: boolean
  children: ReactNode
}

/** A question apart from its page. Give it a `key` that changes when the question is answered, and it closes. */
export function Dialog(props: DialogProps) {
  const place = useRef<HTMLDetailsElement>(null)
  const isModal = useHydrated()
  // Opened before the page was taken over: it goes on where it is, with what was written in it.
  const isInUse = !props.defaultOpen && place.current?.open
  return isModal && !isInUse ? <Modal {...props} /> : <InPlace {...props} place={place} />
}

function InPlace({
  trigger,
  variant,
  title,
  description,
  href,
  defaultOpen,
  children,
  place,
}: DialogProps & { place: Ref<HTMLDetailsElement> }) {
  if (href)
    return (
      <LinkButton to={href} {...(variant && { variant })}>
        {trigger}
      </LinkButton>
    )
  return (
    <details ref={place} open={defaultOpen} className="open:basis-full">
      <summary className={buttonClass(variant, 'list-none [&::-webkit-details-marker]:hidden')}>
        {trigger}
      </summary>
      <section aria-label={title} className={classNames(cardClass, 'mt-3 grid gap-4 p-4')}>
        {description && <p className="text-mute">{description}</p>}
        {children}
      </section>
    </details>
  )
}

function Modal({ trigger, variant, defaultOpen, ...content }: DialogProps) {
  return (
    <Primitive.Root {...(defaultOpen && { defaultOpen })}>
      <Primitive.Trigger className={buttonClass(variant)}>{trigger}</Primitive.Trigger>
      <DialogWindow {...content} />
    </Primitive.Root>
  )
}

type OpenDialogProps = WindowProps & { onClose: () => void }

/** A dialog that something else than its own button opened: open as long as it is there. */
export const OpenDialog = ({ onClose, ...content }: OpenDialogProps) => (
  <Primitive.Root open onOpenChange={(open) => open || onClose()}>
    <DialogWindow {...content} />
  </Primitive.Root>
)

type WindowProps = Pick<DialogProps, 'title' | 'description' | 'children'> & {
  /** What gets the focus once it is closed, where no button of its own opened it. */
  focusAfter?: () => HTMLElement | null
}

function DialogWindow({ title, description, children, focusAfter }: WindowProps) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade" />
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
    </Primitive.Portal>
  )
}

const closeClass =
  'absolute top-3 right-3 grid size-11 place-items-center rounded-control text-mute hover:bg-hover hover:text-ink'

import { lazy, type ReactNode, type Ref, Suspense, useRef, useState } from 'react'
import { type ButtonVariant, buttonClass } from './button.tsx'
import { cardClass } from './card.tsx'
import { classNames } from './class-names.ts'
import type { DialogWindowProps } from './dialog-window.tsx'
import { useEverTrue, useHydratedWhenIdle } from './hydrated.ts'

type DialogProps = {
  /** The words on the button that opens it. */
  trigger: ReactNode
  variant?: ButtonVariant
  title: string
  description?: ReactNode
  /** Whether it starts open, as after a form in it came back with errors. */
  defaultOpen?: boolean
  children: ReactNode
}

/** A question apart from its page. Give it a `key` that changes when the question is answered, and it closes. */
export function Dialog(props: DialogProps) {
  const place = useRef<HTMLDetailsElement>(null)
  const isModal = useHydratedWhenIdle(place, isOpen)
  const [began] = useState(isModal)
  if (!isModal) return <InPlace {...props} place={place} />
  // A dialog that was closed in place does not open again for the answer that it showed.
  return <Modal {...props} defaultOpen={began && (props.defaultOpen ?? false)} />
}

/** Open before hydration: it stays in place, with what was written in it, until it is closed. */
const isOpen = (details: HTMLDetailsElement) => details.open

function InPlace({
  trigger,
  variant,
  title,
  description,
  defaultOpen,
  children,
  place,
}: DialogProps & { place: Ref<HTMLDetailsElement> }) {
  // An answer that disappears when the page revalidates closes nothing.
  const open = useEverTrue(Boolean(defaultOpen))
  return (
    <details ref={place} open={open || undefined} className="open:basis-full">
      <summary className={buttonClass(variant, 'list-none [&::-webkit-details-marker]:hidden')}>
        {trigger}
      </summary>
      <Boxed title={title} description={description}>
        {children}
      </Boxed>
    </details>
  )
}

// Most visits to a page open no dialog: the code that holds the focus and stops the page behind comes with the first.
const load = () => import('./dialog-window.tsx')
const Window = lazy(() =>
  load().then(
    ({ DialogWindow }) => ({ default: DialogWindow }),
    () => ({ default: OpenInPlace }),
  ),
)
const ahead = () => void load().catch(() => null)

function Modal({ trigger, variant, defaultOpen = false, ...content }: DialogProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(defaultOpen)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerEnter={ahead}
        onFocus={ahead}
        onClick={() => setOpen(true)}
        className={buttonClass(variant)}
      >
        {trigger}
      </button>
      {useEverTrue(open) && (
        <Suspense>
          <Window {...content} open={open} onClose={() => setOpen(false)} focusAfter={() => button.current} />
        </Suspense>
      )}
    </>
  )
}

/** The content of a dialog, where there is no network to load its window. */
const OpenInPlace = ({ open, title, description, children }: DialogWindowProps) =>
  open && (
    <Boxed title={title} description={description}>
      {children}
    </Boxed>
  )

const Boxed = ({ title, description, children }: Pick<DialogProps, 'title' | 'description' | 'children'>) => (
  <section aria-label={title} className={classNames(cardClass, 'mt-3 grid basis-full gap-4 p-4')}>
    {description && <p className="text-mute">{description}</p>}
    {children}
  </section>
)

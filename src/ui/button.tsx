import { LoaderCircle } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, useContext } from 'react'
import { classNames } from './class-names.ts'
import { Link } from './link.tsx'

export type ButtonVariant = 'primary' | 'ghost' | 'destructive'

const base =
  'inline-flex min-h-12 items-center justify-center gap-2 rounded-control border px-4.5 py-2 text-center leading-tight font-semibold no-underline transition-colors select-none lg:min-h-11 [&>svg]:shrink-0 disabled:opacity-60 aria-disabled:opacity-60'

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-brand text-on-brand hover:bg-brand-strong',
  ghost: 'border-line bg-card text-ink hover:bg-hover',
  destructive: 'border-transparent bg-bad text-on-bad hover:bg-bad-strong',
}

/** The look of a button, for elements that are not one: a summary, a label, a plain link. */
export const buttonClass = (variant: ButtonVariant = 'primary', extra?: string) =>
  classNames(base, variants[variant], extra)

type ButtonProps = ComponentProps<'button'> & { variant?: ButtonVariant; pending?: boolean }

/** A button; while `pending` it shows that it works, keeps its words and its focus, and can't be pressed again. */
export function Button({ variant, pending = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(variant, className)}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : onClick}
    >
      {pending && <LoaderCircle aria-hidden className="size-5 animate-spin" />}
      {children}
    </button>
  )
}

type LinkButtonProps = ComponentProps<typeof Link> & { variant?: ButtonVariant }

/** A link that looks like a button; it navigates and changes nothing. */
export function LinkButton({ variant, className, ...rest }: LinkButtonProps) {
  return <Link prefetch="intent" {...rest} className={buttonClass(variant, className)} />
}

/** What the surrounding form says in its action bar: which field is to be corrected. */
export const BarLine = createContext<ReactNode>(null)

type ActionBarProps = {
  children: ReactNode
  /** Also in sight on a desk. */
  stays?: boolean
  className?: string
}

/** The next action of a screen, one per screen: always in sight at the foot of a phone, in its place on a desk. */
export function ActionBar({ children, stays = false, className }: ActionBarProps) {
  const line = useContext(BarLine)
  return (
    <div
      data-action-bar={stays ? 'stays' : ''}
      className={classNames(
        'fixed inset-x-0 bottom-0 z-10 grid gap-2 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]',
        // In landscape on a phone: one row, so that the page keeps its room.
        'short:flex short:flex-wrap short:items-center short:justify-between short:py-1.5',
        'lg:flex lg:flex-wrap lg:items-center lg:gap-3 lg:px-0',
        stays ? 'lg:sticky lg:bg-canvas lg:py-3' : 'lg:static lg:border-0 lg:bg-transparent lg:py-0',
        className,
      )}
    >
      {line}
      {children}
    </div>
  )
}

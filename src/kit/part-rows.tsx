import { ChevronRight } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { Card, cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import { useHydrated } from '../ui/hydrated.ts'
import { Link } from '../ui/link.tsx'
import { Submit } from './form/form.tsx'

const IsRow = createContext(false)

/** Whether the parts around are rows of a group, which show their value while they are closed. */
export const useIsRow = () => useContext(IsRow)

type PartGroupProps = { title: string; help: string; children: ReactNode }

/** Parts of a screen that belong together, each a row that opens in place. */
export const PartGroup = ({ title, help, children }: PartGroupProps) => (
  <div className="grid grid-cols-1 items-start gap-x-6 gap-y-3 lg:grid-cols-4">
    <div className="grid gap-1 lg:py-3.5">
      <h2 className="font-semibold">{title}</h2>
      <p className="text-[0.9375rem] text-mute">{help}</p>
    </div>
    <div className={classNames(cardClass, 'divide-y divide-line lg:col-span-3')}>
      <IsRow value={true}>{children}</IsRow>
    </div>
  </div>
)

type PartProps = {
  /** Its links lead here. */
  id: string
  title: string
  /** How it stands, in a few words. */
  value?: ReactNode
  /** The same where it is a card. */
  aside?: ReactNode
  /** Whether it is open by itself: a form in it came back, or something in it waits for the reader. */
  isOpen?: boolean
  children: ReactNode
}

/** One part of a screen: a row inside a group, else a card. */
export function Part({ id, title, value, aside, isOpen = false, children }: PartProps) {
  const isMeant = useLocation().hash === `#${id}`
  const isHydrated = useHydrated()
  if (!useIsRow())
    return (
      <Card id={id} title={title} aside={aside}>
        {children}
      </Card>
    )
  return (
    <section aria-labelledby={`${id}-titulo`}>
      <details open={isOpen || (isMeant && isHydrated)}>
        <summary className={rowClass}>
          <RowWords id={id} title={title} value={value} />
          <ChevronRight
            aria-hidden
            className="size-5 shrink-0 text-mute transition-transform [details[open]>summary>&]:rotate-90"
          />
        </summary>
        {/* The id is inside: a browser without script opens what is around it. */}
        <div id={id} className="grid scroll-mt-20 grid-cols-1 gap-4 px-4 pt-1 pb-5 sm:px-5">
          {children}
        </div>
      </details>
    </section>
  )
}

const rowClass =
  'flex min-h-14 items-center gap-3 rounded-card px-4 py-2.5 select-none hover:bg-hover sm:px-5 [&::-webkit-details-marker]:hidden'

type RowWordsProps = Pick<PartProps, 'id' | 'title' | 'value'>

const RowWords = ({ id, title, value }: RowWordsProps) => (
  <span className="grid min-w-0 flex-1 items-baseline gap-x-4 sm:grid-cols-3">
    <span id={`${id}-titulo`} className="font-semibold">
      {title}
    </span>
    {value && <span className="text-[0.9375rem] wrap-anywhere text-mute sm:col-span-2">{value}</span>}
  </span>
)

type PartLinkProps = RowWordsProps & { to: string }

/** A row that leads to a screen of its own. */
export const PartLink = ({ to, ...words }: PartLinkProps) => (
  <div>
    <Link to={to} className={rowClass}>
      <RowWords {...words} />
      <ChevronRight aria-hidden className="size-5 shrink-0 text-mute" />
    </Link>
  </div>
)

/** Saves a form whose fields are filled in already: the main button once one of them was changed. */
export function SaveChanges({ children }: { children: ReactNode }) {
  const [isChanged, setChanged] = useState(false)
  const button = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const form = button.current?.closest('form')
    const note = () => setChanged(true)
    form?.addEventListener('input', note)
    return () => form?.removeEventListener('input', note)
  }, [])
  return (
    <div ref={button} className="grid sm:justify-start">
      <Submit variant={isChanged ? 'primary' : 'ghost'}>{children}</Submit>
    </div>
  )
}

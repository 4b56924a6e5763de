import { ChevronLeft } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import { classNames } from './class-names.ts'
import { useHydrated } from './hydrated.ts'
import { Link } from './link.tsx'

/** Where each list of this window was last seen, by its path: the way back to it keeps its filters and its page. */
export const seenLists = new Map<string, string>()

/** The address of a list as it was last seen. */
export function useSeenList(path: string): string {
  const isHydrated = useHydrated()
  return (isHydrated && seenLists.get(path)) || path
}

type PageHeaderProps = {
  title: string
  subtitle?: ReactNode
  actions?: ReactNode
  /** The screen above this one. */
  back?: { to: string; label: string } | undefined
  /** On a phone the way back is an arrow beside the title. */
  isTight?: boolean
}

/** The head of a screen: its one h1, which is also the tab's title, what it is about, and what can be done. */
export function PageHeader({ title, subtitle, actions, back, isTight = false }: PageHeaderProps) {
  return (
    <header className={classNames('grid gap-1', isTight && 'max-lg:flex max-lg:items-center')}>
      <PageTitle>{title}</PageTitle>
      {back && (
        <BackLink
          to={back.to}
          className={classNames(
            '-ml-1.5 flex min-h-11 items-center gap-1 justify-self-start text-[0.9375rem] font-medium text-mute hover:text-ink lg:min-h-9',
            isTight ? '-ml-3 min-w-12 justify-center lg:-ml-1.5 lg:pr-2' : 'pr-2',
          )}
        >
          <ChevronLeft aria-hidden className="size-5" />
          <span className={isTight ? 'max-lg:sr-only' : undefined}>{back.label}</span>
        </BackLink>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4 has-[[open]]:items-start">
        <div className="grid min-w-0 gap-1">
          <h1 className="text-2xl/tight font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {subtitle && <p className="text-[0.9375rem] text-mute wrap-anywhere">{subtitle}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">{actions}</div>}
      </div>
    </header>
  )
}

const BackLink = ({ to, ...link }: { to: string; className: string; children: ReactNode }) => (
  <Link to={useSeenList(to)} prefetch="intent" {...link} />
)

/** The product's name, for titles. */
export const Brand = createContext('')

/** What the browser's tab shows: the screen, then the product. React moves it to the head. */
export function PageTitle({ children }: { children: string }) {
  const brand = useContext(Brand)
  return <title>{brand ? `${children} · ${brand}` : children}</title>
}

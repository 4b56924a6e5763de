import { ChevronLeft } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import { Link } from './link.tsx'

type PageHeaderProps = {
  title: string
  subtitle?: ReactNode
  actions?: ReactNode
  /** The screen above this one. */
  back?: { to: string; label: string } | undefined
}

/** The head of a screen: its one h1, which is also the tab's title, what it is about, and what can be done. */
export function PageHeader({ title, subtitle, actions, back }: PageHeaderProps) {
  return (
    <header className="grid gap-1">
      <PageTitle>{title}</PageTitle>
      {back && (
        <Link
          to={back.to}
          prefetch="intent"
          className="-ml-1.5 flex min-h-11 items-center gap-1 justify-self-start pr-2 text-[0.9375rem] font-medium text-mute hover:text-ink lg:min-h-9"
        >
          <ChevronLeft aria-hidden className="size-5" />
          {back.label}
        </Link>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="grid min-w-0 gap-1">
          <h1 className="text-2xl/tight font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {subtitle && <p className="text-[0.9375rem] text-mute wrap-anywhere">{subtitle}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:flex-1">{actions}</div>}
      </div>
    </header>
  )
}

/** The product's name, for titles. */
export const Brand = createContext('')

/** What the browser's tab shows: the screen, then the product. React moves it to the head. */
export function PageTitle({ children }: { children: string }) {
  const brand = useContext(Brand)
  return <title>{brand ? `${children} · ${brand}` : children}</title>
}

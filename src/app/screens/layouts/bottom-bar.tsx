import { CalendarClock, CloudCheck, House, type LucideIcon, Menu as MenuIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { barItemClass, outboxPlaceId } from '../../../kit/frame/bar.ts'
import { Link } from '../../../ui/link.tsx'
import type { Person } from './sidebar.tsx'
import { MenuButton } from './top-bar.tsx'

/** Below lg, under the thumb of who works on site: today, the appointments, what waits to be sent, and the menu. */
export function BottomBar({ person }: { person: Person }) {
  return (
    <nav
      aria-label="Atajos"
      data-bottom-bar
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-4 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      <Item to="/admin" icon={House} exact>
        Hoy
      </Item>
      <Item to="/admin/appointments-pending" icon={CalendarClock}>
        Citas
      </Item>
      <div className="grid">
        {/* What is drawn into it may have come first: React takes no text as none of its own. */}
        <span id={outboxPlaceId} suppressHydrationWarning className="peer grid empty:hidden">
          {''}
        </span>
        {/* Until there is a script, which alone keeps something to be sent. */}
        <span aria-hidden className={`${barItemClass} hidden peer-empty:grid noscript:invisible`}>
          <CloudCheck className="size-6" />
          Por enviar
        </span>
      </div>
      <MenuButton person={person} label="Más: abrir el menú" className={barItemClass}>
        <MenuIcon aria-hidden className="size-6" />
        Más
      </MenuButton>
    </nav>
  )
}

type ItemProps = { to: string; icon: LucideIcon; exact?: boolean; children: ReactNode }

/** Its screen and, unless it is exact, the screens below it. */
function Item({ to, icon: Icon, exact = false, children }: ItemProps) {
  const { pathname } = useLocation()
  const isBelow = !exact && pathname.startsWith(`${to}/`)
  return (
    <Link
      to={to}
      prefetch="intent"
      aria-current={pathname === to ? 'page' : isBelow ? 'true' : undefined}
      className={barItemClass}
    >
      <Icon aria-hidden className="size-6" />
      {children}
    </Link>
  )
}

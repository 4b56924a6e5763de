import {
  CalendarCheck,
  CalendarClock,
  CalendarPlus,
  CircleQuestionMark,
  ClipboardCheck,
  Contact,
  FileText,
  House,
  Landmark,
  LogOut,
  type LucideIcon,
  MapPin,
  PlugZap,
  Receipt,
  Store,
  TicketPercent,
  Users,
  Video,
  Wallet,
  X,
} from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { useLocation } from 'react-router'
import { type Actor, isCustomer, isStaff, kindLabel } from '../../../access/rules/actor.ts'
import { activeItem, type MenuIcon, type MenuItem, menuFor } from '../../../access/rules/menu.ts'
import { SignOutForm } from '../../../accounts/screens/sign-out-form.tsx'
import { BrandMark } from '../../../kit/frame/brand-mark.tsx'
import { mainId } from '../../../kit/navigation-focus.ts'
import { useSite } from '../../../kit/site.ts'
import { cookieIn, menuFoldCookie } from '../../../shared/device.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useHydrated } from '../../../ui/hydrated.ts'
import { Link } from '../../../ui/link.tsx'
import { SearchField } from './search-box.tsx'

/** The address of the sidebar in its page: without JavaScript, a phone's menu button is a link to it. */
export const sidebarId = 'menu'

/** Whether these cookies say that the device folds the sidebar: the server sends it so, and nothing moves. */
export const isMenuFolded = (cookies: string) => cookieIn(cookies, menuFoldCookie) === 'plegado'

// After the screen: until then, and without JavaScript, the sidebar stays as it is.
const FoldButton = lazy(
  (): Promise<{ default: ComponentType<SidebarProps> }> =>
    import('./fold-button.tsx').catch(() => ({ default: () => null })),
)

type SidebarProps = { person: Person; folded: boolean; fold: (folded: boolean) => void }

/** Fixed at the left from lg, where it folds to its icons. Below, it is hidden until the user goes to its address. */
export function Sidebar(props: SidebarProps) {
  const { person } = props
  const { hash } = useLocation()
  // For a browser the page's target stays what it was when a script changes the address: the menu would cover the next screen.
  const isHydrated = useHydrated()
  const isLeft = isHydrated && hash !== `#${sidebarId}`
  return (
    <aside
      id={sidebarId}
      aria-label="Menú y cuenta"
      className={classNames(
        'fixed inset-y-0 left-0 z-30 hidden w-full flex-col overflow-y-auto border-r border-line bg-card p-4 lg:flex lg:w-80',
        !isLeft && 'target:flex',
      )}
    >
      <a
        href={`#${mainId}`}
        className="absolute top-3 right-3 grid size-11 place-items-center rounded-control text-mute hover:bg-hover lg:hidden"
      >
        <X aria-hidden className="size-5" />
        <span className="sr-only">Cerrar el menú</span>
      </a>
      <Suspense>{isHydrated && <FoldButton {...props} />}</Suspense>
      <SidebarContent person={person} search={isStaff(person) && <SearchField />} />
    </aside>
  )
}

type SidebarContentProps = { person: Person; search: ReactNode }

/** What the sidebar and the phone's sheet share. */
export function SidebarContent({ person, search }: SidebarContentProps) {
  return (
    <>
      <div className="brand px-3 pt-1 pb-5">
        <BrandMark />
      </div>
      {search}
      <Menu kind={person.kind} />
      <div className="mt-auto pt-6">
        <UserBlock person={person} />
      </div>
    </>
  )
}

/** The sidebar's sections and items; the active one is that of the path's root. */
function Menu({ kind }: Pick<Actor, 'kind'>) {
  const { pathname } = useLocation()
  const on = new Set(useSite()?.modules)
  const active = activeItem(pathname, { kind }, on)
  return (
    <nav aria-label="Menú principal" className="grid gap-1">
      {menuFor({ kind }, on).map(({ title, items }) => (
        <div key={title ?? ''} className="grid gap-1">
          {title && (
            <h2 className="px-3 pt-4 pb-1 text-[0.8125rem] font-semibold text-mute">
              <span className="unfolded">{title}</span>
            </h2>
          )}
          <ul className="grid gap-1">
            {items.map((item) => (
              <li key={item.id}>
                {item.missing ? (
                  <Missing item={item} />
                ) : (
                  <Item item={item} active={item.id === active?.id} exact={item.dir === pathname} />
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const lineClass = 'flex min-h-11 items-center gap-3 rounded-control px-3'

function Item({ item, active, exact }: { item: MenuItem; active: boolean; exact: boolean }) {
  const Icon = menuIcons[item.icon]
  return (
    <Link
      to={item.dir}
      prefetch="intent"
      aria-current={active ? (exact ? 'page' : 'true') : undefined}
      className={classNames(lineClass, active ? 'bg-brand-soft font-semibold text-brand' : 'hover:bg-hover')}
    >
      <Icon aria-hidden className={classNames('size-5 shrink-0', !active && 'text-mute')} />
      <span className="unfolded">{item.label}</span>
    </Link>
  )
}

function Missing({ item }: { item: MenuItem }) {
  const Icon = menuIcons[item.icon]
  return (
    <span aria-disabled="true" className={classNames(lineClass, 'text-mute')}>
      <Icon aria-hidden className="size-5 shrink-0" />
      <span className="unfolded">{item.label}</span>
      <span className="unfolded ml-auto text-sm">Próximamente</span>
    </span>
  )
}

/** The drawing of each icon that the menu names. */
const menuIcons: Record<MenuIcon, LucideIcon> = {
  'calendar-check': CalendarCheck,
  'calendar-clock': CalendarClock,
  'calendar-plus': CalendarPlus,
  'clipboard-check': ClipboardCheck,
  contact: Contact,
  'file-text': FileText,
  house: House,
  landmark: Landmark,
  'map-pin': MapPin,
  'plug-zap': PlugZap,
  receipt: Receipt,
  store: Store,
  'ticket-percent': TicketPercent,
  users: Users,
  video: Video,
  wallet: Wallet,
}

/** What the layout shows of the signed-in user. */
export type Person = Pick<Actor, 'name' | 'lastname' | 'email' | 'role' | 'kind'>

/** Only what the layout shows: the rest of an actor stays on the server. */
export const personOf = ({ name, lastname, email, role, kind }: Actor) =>
  ({ name, lastname, email, role, kind }) as Person

/** Where a person finds their own account. */
export const accountPath = (person: Pick<Person, 'role'>) =>
  isCustomer(person) ? '/cuenta' : '/admin/account'

/** The foot of the sidebar: the signed-in user, the link to the account, and the sign-out. */
function UserBlock({ person }: { person: Person }) {
  return (
    <div className="grid gap-1 border-t border-line pt-3">
      <Link
        to={accountPath(person)}
        prefetch="intent"
        className="grid rounded-control px-3 py-2 text-[0.9375rem] hover:bg-hover"
      >
        <Contact aria-hidden className="hidden size-5 text-mute" />
        <span className="unfolded truncate font-semibold">
          {person.name} {person.lastname}
        </span>
        <span className="unfolded truncate text-sm text-mute">{person.email}</span>
        <span className="unfolded text-sm text-mute">{kindLabel(person)}</span>
      </Link>
      <Link
        to={isCustomer(person) ? '/ayuda' : '/admin/ayuda'}
        prefetch="intent"
        className={classNames(lineClass, 'text-[0.9375rem] hover:bg-hover')}
      >
        <CircleQuestionMark aria-hidden className="size-5 text-mute" />
        <span className="unfolded">Ayuda</span>
      </Link>
      <SignOutForm>
        <button
          type="submit"
          className="flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-[0.9375rem] hover:bg-hover"
        >
          <LogOut aria-hidden className="size-5 text-mute" />
          <span className="unfolded">Cerrar sesión</span>
        </button>
      </SignOutForm>
    </div>
  )
}

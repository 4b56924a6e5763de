import { Menu as MenuIcon } from 'lucide-react'
import { type ReactNode, Suspense, startTransition, useEffect, useRef, useState, useTransition } from 'react'
import { useLocation } from 'react-router'
import { isStaff, isTechnician } from '../../../access/rules/actor.ts'
import { BrandMark } from '../../../kit/frame/brand-mark.tsx'
import { lazyOr } from '../../../kit/later.tsx'
import { useEverTrue, useHydratedWhenIdle } from '../../../ui/hydrated.ts'
import { Link } from '../../../ui/link.tsx'
import type { MenuSheetProps } from './menu-sheet.tsx'
import { SearchLink } from './search-box.tsx'
import { accountPath, type Person, sidebarId } from './sidebar.tsx'

/** Below lg: the menu, where it is not in the bar below, the brand and the account. */
export function TopBar({ person }: { person: Person }) {
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-b border-line bg-card px-2 lg:hidden">
      {hasBottomBar(person) ? <span className="w-2" /> : <MenuButton person={person} />}
      <BrandMark />
      <span className="ml-auto" />
      {isStaff(person) && <SearchLink />}
      <Link
        to={accountPath(person)}
        aria-label="Mi cuenta"
        className="grid size-11 place-items-center rounded-full"
      >
        <span className="grid size-9 place-items-center rounded-full bg-brand-soft text-sm font-semibold text-brand">
          {initials(person)}
        </span>
      </Link>
    </header>
  )
}

const initials = ({ name, lastname }: Person) =>
  [name, lastname]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase('es-MX')

/** Who works with one hand has their few ways under the thumb. */
export const hasBottomBar = isTechnician

const buttonClass =
  'grid size-11 place-items-center rounded-control hover:bg-hover active:bg-hover aria-busy:bg-hover'
const icon = <MenuIcon aria-hidden className="size-6" />

// A desk never needs it; a phone needs it once the user opens it.
const load = () => import('./menu-sheet.tsx')
const MenuSheet = lazyOr(() => load().then((part) => part.MenuSheet), SidebarInstead)
const ahead = () => void load().catch(() => null)

type MenuButtonProps = { person: Person; label?: string; className?: string; children?: ReactNode }

/** Opens the phone's menu, which closes by going somewhere too. */
export function MenuButton({
  person,
  label = 'Abrir el menú',
  className = buttonClass,
  children = icon,
}: MenuButtonProps) {
  const { key } = useLocation()
  const button = useRef<HTMLButtonElement>(null)
  const [openAt, setOpenAt] = useState<string | null>(null)
  // A slow phone first paints the pressed button, then renders the sheet with every line of the menu.
  const [coming, later] = useTransition()
  const open = openAt === key
  const wasOpen = useEverTrue(open)
  const link = useRef<HTMLAnchorElement>(null)
  if (!useHydratedWhenIdle(link))
    return (
      <a ref={link} href={`#${sidebarId}`} aria-label={label} className={className}>
        {children}
      </a>
    )
  const left = openAt !== null && !open
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-busy={coming}
        onPointerEnter={ahead}
        onFocus={ahead}
        onClick={() => later(() => setOpenAt(key))}
        className={className}
      >
        {children}
      </button>
      {/*
          Mounted before the sheet, so that the press stays visible until the sheet has loaded, with no blank
          between.
      */}
      <Suspense>
        {wasOpen && (
          <MenuSheet
            person={person}
            open={open}
            onClose={() => startTransition(() => setOpenAt(null))}
            // The new screen has taken the focus already; the button must not take it back.
            focusAfter={() => (left ? null : button.current)}
          />
        )}
      </Suspense>
    </>
  )
}

/** Where there is no network to load the sheet, the menu opens as it does without JavaScript. */
function SidebarInstead({ open }: MenuSheetProps) {
  useEffect(() => {
    if (open) location.hash = sidebarId
  }, [open])
  return null
}

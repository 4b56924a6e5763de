import { Link } from 'react-router'
import { BrandMark } from './brand-mark.tsx'
import { MenuButton } from './menu-button.tsx'
import { accountPath, type Person } from './user-block.tsx'

/** The place beside the account that a screen may fill. */
export const outboxPlaceId = 'por-enviar'

/** Below lg: the menu, the brand and the account. */
export function TopBar({ person }: { person: Person }) {
  return (
    <header className="sticky top-0 z-20 flex h-14 items-center gap-1 border-b border-line bg-card px-2 lg:hidden">
      <MenuButton person={person} />
      <BrandMark />
      {/* Where a technician's outbox stands. */}
      <span id={outboxPlaceId} className="ml-auto" />
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

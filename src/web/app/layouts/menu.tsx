import { Link, useLocation } from 'react-router'
import type { Actor } from '../../../domain/access/actor.ts'
import { activeItem, type MenuItem, menuFor } from '../../../domain/access/menu.ts'
import { useSite } from '../../lib/site.ts'
import { classNames } from '../../ui/class-names.ts'
import { menuIcons } from './menu-icons.ts'

/** The sidebar's sections and items; the active one is that of the path's root. */
export function Menu({ kind }: Pick<Actor, 'kind'>) {
  const { pathname } = useLocation()
  const on = new Set(useSite()?.modules)
  const active = activeItem(pathname, { kind })
  return (
    <nav aria-label="Menú principal" className="grid gap-1">
      {menuFor({ kind }, on).map(({ title, items }) => (
        <div key={title ?? ''} className="grid gap-1">
          {title && <h2 className="px-3 pt-4 pb-1 text-[0.8125rem] font-semibold text-mute">{title}</h2>}
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
      {item.label}
    </Link>
  )
}

function Missing({ item }: { item: MenuItem }) {
  const Icon = menuIcons[item.icon]
  return (
    <span aria-disabled="true" className={classNames(lineClass, 'text-mute')}>
      <Icon aria-hidden className="size-5 shrink-0" />
      {item.label}
      <span className="ml-auto text-sm">Próximamente</span>
    </span>
  )
}

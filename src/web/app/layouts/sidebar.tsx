import { X } from 'lucide-react'
import { mainId } from '../../lib/navigation-focus.ts'
import { BrandMark } from './brand-mark.tsx'
import { Menu } from './menu.tsx'
import { type Person, UserBlock } from './user-block.tsx'

/** The address of the sidebar in its page: without JavaScript, a phone's menu button is a link to it. */
export const sidebarId = 'menu'

/** Fixed at the left from lg. Below, it is out of sight until somebody goes to its address. */
export function Sidebar({ person }: { person: Person }) {
  return (
    <aside
      id={sidebarId}
      aria-label="Menú y cuenta"
      className="fixed inset-y-0 left-0 z-30 hidden w-full flex-col overflow-y-auto border-r border-line bg-card p-4 target:flex lg:flex lg:w-80"
    >
      <a
        href={`#${mainId}`}
        className="absolute top-3 right-3 grid size-11 place-items-center rounded-control text-mute hover:bg-hover lg:hidden"
      >
        <X aria-hidden className="size-5" />
        <span className="sr-only">Cerrar el menú</span>
      </a>
      <SidebarContent person={person} />
    </aside>
  )
}

/** What the sidebar and the phone's sheet share. */
export function SidebarContent({ person }: { person: Person }) {
  return (
    <>
      <div className="px-3 pt-1 pb-5">
        <BrandMark />
      </div>
      <Menu kind={person.kind} />
      <div className="mt-auto pt-6">
        <UserBlock person={person} />
      </div>
    </>
  )
}

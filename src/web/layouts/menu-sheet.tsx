import { Menu as MenuIcon, X } from 'lucide-react'
import * as Dialog from 'radix-ui/dialog'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useHydrated } from '../ui/hydrated.ts'
import { SidebarContent, sidebarId } from './sidebar.tsx'
import type { Person } from './user-block.tsx'

const buttonClass = 'grid size-11 place-items-center rounded-control hover:bg-hover'

/** The phone's menu: a sheet from the left. It holds the focus, Escape closes it, and so does going somewhere. */
export function MenuSheet({ person }: { person: Person }) {
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  if (!useHydrated())
    return (
      <a href={`#${sidebarId}`} aria-label="Abrir el menú" className={buttonClass}>
        <MenuIcon aria-hidden className="size-6" />
      </a>
    )
  const left = openAt !== null && openAt !== key
  return (
    <Dialog.Root open={openAt === key} onOpenChange={(open) => setOpenAt(open ? key : null)}>
      <Dialog.Trigger aria-label="Abrir el menú" className={buttonClass}>
        <MenuIcon aria-hidden className="size-6" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          // The new screen has taken the focus already; the button must not take it back.
          onCloseAutoFocus={(event) => left && event.preventDefault()}
          className="fixed inset-y-0 left-0 z-40 flex w-80 max-w-[calc(100vw-3.5rem)] flex-col overflow-y-auto bg-card p-4 shadow-float outline-none data-[state=closed]:animate-sheet-out data-[state=open]:animate-sheet lg:hidden"
        >
          <Dialog.Title className="sr-only">Menú</Dialog.Title>
          <SidebarContent person={person} />
          <Dialog.Close
            aria-label="Cerrar el menú"
            className={`${buttonClass} absolute top-3 right-3 text-mute`}
          >
            <X aria-hidden className="size-5" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

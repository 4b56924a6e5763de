import { Search, X } from 'lucide-react'
import * as Dialog from 'radix-ui/dialog'
import { useRef } from 'react'
import { isStaff } from '../../../access/rules/actor.ts'
import { searchPath } from '../search-path.ts'
import { type Person, SidebarContent } from './sidebar.tsx'

export type MenuSheetProps = {
  person: Person
  open: boolean
  onClose: () => void
  /** What gets the focus once it is closed; null where something else has it. */
  focusAfter: () => HTMLElement | null
}

/** The phone's menu: a sheet from the left. It holds the focus, and Escape closes it. */
export function MenuSheet({ person, open, onClose, focusAfter }: MenuSheetProps) {
  const sheet = useRef<HTMLDivElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade lg:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          ref={sheet}
          onOpenAutoFocus={(event) => {
            // By itself it would pass over links, to the button that ends the session.
            event.preventDefault()
            sheet.current?.querySelector('a')?.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusAfter()?.focus()
          }}
          className="fixed inset-y-0 left-0 z-40 flex w-80 max-w-[calc(100vw-3.5rem)] flex-col overflow-y-auto bg-card p-4 shadow-float outline-none data-[state=closed]:animate-sheet-out data-[state=open]:animate-sheet lg:hidden"
        >
          <Dialog.Title className="sr-only">Menú</Dialog.Title>
          <SidebarContent person={person} search={isStaff(person) && <SearchLine />} />
          <Dialog.Close
            aria-label="Cerrar el menú"
            className="absolute top-3 right-3 grid size-11 place-items-center rounded-control text-mute hover:bg-hover"
          >
            <X aria-hidden className="size-5" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** No field: the first thing in the sheet has the focus, and a phone would show its keyboard. */
const SearchLine = () => (
  <a
    data-search
    href={searchPath}
    className="mb-3 flex min-h-11 items-center gap-3 rounded-control border border-line bg-canvas px-3 text-mute"
  >
    <Search aria-hidden className="size-5" />
    Busca en todo
  </a>
)

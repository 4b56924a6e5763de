import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { singleKeysAct } from '../ui/single-keys.ts'
import { PhotoImage } from './photo-image.tsx'

type ViewedPhoto = { id: string; label: string; fullUrl: string; note?: ReactNode }
/** The pictures of a window, and the one that it opens with. */
export type PhotoWindowProps = {
  photos: readonly ViewedPhoto[]
  first: string
  /** The element that opened it, focused again once it is closed. */
  opener: HTMLElement
  onClose: () => void
}

/**
 * Pictures whole, one at a time; arrow keys, or j and k, move to the next and back. Dark in both schemes, as white around a photo
 * would dazzle.
 */
export function PhotoWindow({ photos, first, opener, onClose }: PhotoWindowProps) {
  const [shown, setShown] = useState(first)
  const nth = photos.findIndex(({ id }) => id === shown)
  const photo = photos[nth]
  if (!photo) return null
  const before = photos[nth - 1]
  const after = photos[nth + 1]
  const onKeyDown = ({ key }: KeyboardEvent) => {
    const letter = singleKeysAct() && key
    const to =
      key === 'ArrowLeft' || letter === 'k'
        ? before
        : key === 'ArrowRight' || letter === 'j'
          ? after
          : undefined
    if (to) setShown(to.id)
  }
  return (
    <Primitive.Root open onOpenChange={(open) => open || onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[black]" />
        <Primitive.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            opener.focus()
          }}
          className="dark-palette fixed inset-0 z-40 grid grid-cols-1 grid-rows-[auto_1fr_auto] bg-canvas text-ink outline-none"
        >
          <div className="flex min-h-14 items-center gap-3 pr-2 pl-4">
            <Primitive.Title className="min-w-0 flex-1 truncate font-semibold">{photo.label}</Primitive.Title>
            {photos.length > 1 && (
              <span aria-live="polite" className="text-sm text-mute">
                {nth + 1} de {photos.length}
              </span>
            )}
            <Primitive.Close aria-label="Cerrar" className={iconButton}>
              <X aria-hidden className="size-6" />
            </Primitive.Close>
          </div>
          <div className="min-h-0">
            <PhotoImage
              key={photo.id}
              src={photo.fullUrl}
              alt={photo.label}
              className="size-full object-contain"
            />
          </div>
          <div className="flex min-h-16 items-center gap-2 px-2 pb-[env(safe-area-inset-bottom)]">
            <Step
              to={before}
              label="Anterior"
              show={setShown}
              icon={<ChevronLeft aria-hidden className="size-6" />}
            />
            <div className="min-w-0 flex-1 text-center text-sm text-mute">{photo.note}</div>
            <Step
              to={after}
              label="Siguiente"
              show={setShown}
              icon={<ChevronRight aria-hidden className="size-6" />}
            />
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

type StepProps = {
  to: ViewedPhoto | undefined
  label: string
  show: (id: string) => void
  icon: ReactNode
}

/** Stays in its place at either end, so that its neighbours don't move and the focus isn't lost. */
const Step = ({ to, label, show, icon }: StepProps) => (
  <button
    type="button"
    aria-label={label}
    aria-disabled={!to}
    className={`${iconButton} aria-disabled:opacity-30`}
    onClick={() => to && show(to.id)}
  >
    {icon}
  </button>
)

const iconButton = 'grid size-12 shrink-0 place-items-center rounded-control hover:bg-hover'

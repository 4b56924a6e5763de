import { CircleCheck, Eraser, Images } from 'lucide-react'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import type { DraftFile } from '../offline/draft.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Picker } from './photo-picker.tsx'
import type { TrayPicture } from './use-tray.ts'

/** A photo that is asked for, and the one that is there. */
export type WalkStop = {
  slot: string
  label: string
  legible: string
  file: Pick<DraftFile, 'url' | 'fullUrl' | 'keptBecause'> | null
  isDone: boolean
  optional: boolean
}

type PhotoTrayProps = {
  pictures: readonly TrayPicture[]
  stops: readonly WalkStop[]
  assign: (picture: TrayPicture, slot: string) => void
  add: (files: File[]) => void
  remove: (id: string) => void
  onDone: () => void
  /** What came of the picture assigned last. */
  children: ReactNode
}

/** The tray below the places: a picture gets its place by a tap on each, or by dragging it there. */
export function PhotoTray({ pictures, stops, assign, add, remove, onDone, children }: PhotoTrayProps) {
  const [chosen, choose] = useState<string>()
  const picked = pictures.find(({ id }) => id === chosen) ?? pictures[0]
  const { drag, over, handlers } = useDrag((id, slot) => {
    const picture = pictures.find((one) => one.id === id)
    if (picture) assign(picture, slot)
  })
  return (
    <div className="walk-stage lg:col-span-2">
      <div className="px-4 py-2">
        <p>{picked ? 'Toca una foto y después su lugar, o arrástrala.' : 'Ya acomodaste todas.'}</p>
        {children}
      </div>
      <ol className="walk-places grid grid-cols-2 content-start gap-2 overflow-y-auto px-4 pb-2 sm:grid-cols-3">
        {stops.map((stop) => (
          <Place
            key={stop.slot}
            stop={stop}
            isOver={over === stop.slot}
            take={() => picked && assign(picked, stop.slot)}
            canTake={picked !== undefined}
          />
        ))}
      </ol>
      <div className="grid gap-2 border-t border-line bg-card px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <ul aria-label="Fotos por acomodar" className="walk-tray flex gap-2 overflow-x-auto p-1">
          {pictures.map((picture, nth) => (
            <li key={picture.id} className="shrink-0">
              <button
                type="button"
                aria-pressed={picture === picked}
                aria-label={`Foto ${nth + 1} de la galería`}
                onClick={() => choose(picture.id)}
                {...handlers(picture.id)}
              >
                <img
                  src={picture.url}
                  alt=""
                  draggable={false}
                  className={classNames(
                    'rounded-control bg-hover object-cover',
                    drag?.id === picture.id && 'opacity-40',
                  )}
                />
              </button>
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <Button className="flex-1" onClick={onDone}>
            {picked ? 'Después' : 'Listo'}
          </Button>
          <Picker
            className={buttonClass('ghost')}
            accept="image/*"
            aria-label="Agregar de la galería"
            multiple
            take={(_, all) => add(all)}
          >
            <Images aria-hidden className="size-5 text-brand" />
            Más
          </Picker>
          {picked && (
            <Button variant="ghost" aria-label="Quitar la foto elegida" onClick={() => remove(picked.id)}>
              <Eraser aria-hidden className="size-5" />
            </Button>
          )}
        </div>
      </div>
      {drag && <Dragged drag={drag} url={pictures.find(({ id }) => id === drag.id)?.url} />}
    </div>
  )
}

type PlaceProps = { stop: WalkStop; isOver: boolean; canTake: boolean; take: () => void }

const Place = ({ stop: { slot, label, file, isDone }, isOver, canTake, take }: PlaceProps) => (
  <li className="grid grid-cols-1">
    <button
      type="button"
      data-slot={slot}
      aria-disabled={!canTake}
      aria-label={`${label}${isDone ? ', ya tiene foto' : ''}`}
      className={classNames(
        'flex min-h-14 items-center gap-2 rounded-control border bg-card p-2 text-left leading-tight hover:bg-hover',
        isOver ? 'border-brand bg-brand-soft' : 'border-edge',
      )}
      onClick={take}
    >
      {file && <img src={file.url} alt="" className="size-11 shrink-0 rounded-control object-cover" />}
      <span className="min-w-0 flex-1 wrap-anywhere">{label}</span>
      {isDone && <CircleCheck aria-hidden className="size-5 shrink-0 text-brand" />}
    </button>
  </li>
)

type Drag = { id: string; x: number; y: number }

const Dragged = ({ drag: { x, y }, url }: { drag: Drag; url: string | undefined }) => (
  <img
    src={url}
    alt=""
    style={{ left: x - 40, top: y - 40 }}
    className="walk-dragged pointer-events-none fixed rounded-control object-cover shadow-float"
  />
)

/** Pixels from which a press is a drag. */
const least = 10

/** Dragging by mouse, pen or finger; the browser's own drag and drop knows no fingers. */
function useDrag(drop: (id: string, slot: string) => void) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const from = useRef<{ x: number; y: number } | null>(null)
  const end = () => {
    from.current = null
    setDrag(null)
    setOver(null)
  }
  const handlers = (id: string) => ({
    onPointerDown: ({ clientX: x, clientY: y, currentTarget, pointerId }: PointerEvent<HTMLElement>) => {
      from.current = { x, y }
      currentTarget.setPointerCapture(pointerId)
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent) => {
      const start = from.current
      if (!start || (!drag && Math.hypot(x - start.x, y - start.y) < least)) return
      setDrag({ id, x, y })
      setOver(slotAt(x, y))
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      const slot = drag && slotAt(clientX, clientY)
      end()
      if (slot) drop(id, slot)
    },
    onPointerCancel: end,
  })
  return { drag, over, handlers }
}

const slotAt = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-slot]')?.dataset.slot ?? null

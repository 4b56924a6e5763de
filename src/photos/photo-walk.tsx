import {
  Check,
  ChevronLeft,
  ChevronRight,
  CircleCheck,
  Flashlight,
  Images,
  LoaderCircle,
  PenLine,
  RotateCcw,
  X,
} from 'lucide-react'
import * as Primitive from 'radix-ui/dialog'
import { type ReactNode, type TouchEvent, useEffect, useRef } from 'react'
import { lowerFirst } from '../shared/format.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { DoubtfulPhoto, KeepAnyway } from './photo-doubt.tsx'
import { PhotoDrawing } from './photo-drawing.tsx'
import { StepWords } from './photo-field.tsx'
import { PhotoImage } from './photo-image.tsx'
import { Picker } from './photo-picker.tsx'
import { PhotoTray, type WalkStop } from './photo-tray.tsx'
import type { SlotStep } from './use-photo-slot.ts'
import { type PhotoWalkProps, useWalk } from './use-walk.ts'
import './walk.css'

type WalkState = ReturnType<typeof useWalk>

/**
 * The camera in front of the whole screen, from one photo that is asked for to the next. Each is kept at once, as
 * from the phone's own camera. Dark in both schemes, as white around a picture would dazzle.
 */
export function PhotoWalk(props: PhotoWalkProps) {
  const walk = useWalk(props)
  const { stops, focusAfter } = props
  const { stop, view, close } = walk
  if (!stop) return null
  const asked = stops.filter(({ optional }) => !optional)
  return (
    <Primitive.Root open onOpenChange={(open) => open || close()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[black]" />
        <Primitive.Content
          aria-describedby={undefined}
          onKeyDown={walk.onKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            walk.shutter.current?.focus()
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            focusAfter()
          }}
          className="walk fixed inset-0 z-40 grid grid-cols-1 bg-canvas text-ink outline-none"
        >
          <div className="flex min-h-14 items-center gap-3 border-b border-line pr-2 pl-4 lg:col-span-2">
            <Primitive.Title className="min-w-0 flex-1 truncate font-semibold">Fotos</Primitive.Title>
            <span className="text-mute">
              {asked.filter(({ isDone }) => isDone).length} de {asked.length}
            </span>
            <Primitive.Close aria-label="Cerrar la cámara" className={iconButton}>
              <X aria-hidden className="size-6" />
            </Primitive.Close>
          </div>
          <p role="status" className="sr-only">
            {walk.said}
          </p>
          {view === 'tray' ? (
            <PhotoTray
              pictures={walk.tray.pictures}
              stops={stops}
              assign={walk.assign}
              add={walk.tray.add}
              remove={walk.tray.remove}
              onDone={() => walk.setView('live')}
            >
              <StepWords step={walk.step} />
            </PhotoTray>
          ) : (
            <>
              <StopList stops={stops} at={stop.slot} goTo={walk.goTo} />
              <Stage walk={walk} stop={stop} stops={stops} />
            </>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

const iconButton = 'grid size-12 shrink-0 place-items-center rounded-control hover:bg-hover'

type StopListProps = { stops: readonly WalkStop[]; at: string; goTo: (slot: string) => void }

/** What is asked, each with a tick once it is there; a row to push on a phone, a column on a desk. */
function StopList({ stops, at, goTo }: StopListProps) {
  const list = useRef<HTMLOListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each move scrolls
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [at])
  return (
    <ol
      ref={list}
      aria-label="Fotos que se piden"
      className="walk-list flex gap-2 overflow-x-auto border-b border-line px-4 py-2"
    >
      {stops.map(({ slot, label, isDone, optional }) => (
        <li key={slot} className="grid shrink-0">
          <button
            type="button"
            aria-current={slot === at ? 'step' : undefined}
            className="flex min-h-11 items-center gap-2 rounded-control border border-edge bg-card px-3 text-left"
            onClick={() => goTo(slot)}
          >
            {isDone ? (
              <CircleCheck aria-hidden className="size-5 shrink-0 text-brand" />
            ) : (
              <span aria-hidden className="size-5 shrink-0 rounded-full border-2 border-edge" />
            )}
            {label}
            {isDone && <span className="sr-only">(ya está)</span>}
            {optional && <span className="text-mute">(opcional)</span>}
          </button>
        </li>
      ))}
    </ol>
  )
}

type StageProps = { walk: WalkState; stop: WalkStop; stops: readonly WalkStop[] }

/** One photo: what must be seen in it, the camera or the picture, and the buttons below. */
function Stage({ walk, stop, stops }: StageProps) {
  const { step, view } = walk
  const touched = useRef<number>(null)
  const swipe = {
    onTouchStart: ({ touches }: TouchEvent) => {
      touched.current = touches.length === 1 ? (touches[0]?.clientX ?? null) : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const by = touched.current === null ? 0 : (changedTouches[0]?.clientX ?? 0) - touched.current
      if (Math.abs(by) >= leastSwipe) walk.move(by < 0 ? 1 : -1)
    },
  }
  if (view === 'drawing' && stop.file)
    return <PhotoDrawing label={stop.label} url={stop.file.fullUrl} save={walk.draw} stop={walk.close} />
  const isDoubt = step.name === 'doubt'
  return (
    <div className="walk-stage">
      <div className="grid gap-0.5 px-4 py-2">
        <h3 className="text-lg font-semibold">{view === 'ended' ? 'Fotos del recorrido' : stop.label}</h3>
        {view !== 'ended' && <p>Que se vea: {lowerFirst(stop.legible)}</p>}
        <StepWords step={step} />
        {isDoubt && walk.said && <p className="font-medium text-bad">{walk.said}</p>}
      </div>
      <div
        {...swipe}
        className="walk-picture relative grid min-h-0 place-items-center overflow-y-auto bg-[black]"
      >
        <Viewfinder walk={walk} isShown={view === 'live' && !isDoubt} label={stop.label} />
        {isDoubt && <Doubt walk={walk} step={step} stop={stop} />}
        {view === 'kept' && stop.file && (
          <PhotoImage
            key={stop.file.fullUrl}
            src={stop.file.fullUrl}
            alt={stop.label}
            className="absolute inset-0 size-full object-contain"
          />
        )}
        {view === 'ended' && <Ended walk={walk} stops={stops} />}
      </div>
      {!isDoubt && view !== 'ended' && <Bar walk={walk} stop={stop} />}
    </div>
  )
}

/** Pixels from which a finger's way is a swipe. */
const leastSwipe = 60

const trouble: Record<'denied' | 'missing', string> = {
  denied:
    'Esta página no tiene permiso para usar la cámara. «Tomar foto» abre la cámara de tu teléfono; lo demás sigue igual.',
  missing:
    'No pudimos abrir la cámara aquí. «Tomar foto» abre la cámara de tu teléfono; lo demás sigue igual.',
}

type ViewfinderProps = { walk: WalkState; isShown: boolean; label: string }

/** What the camera sees; still while a shot is looked at. */
function Viewfinder({ walk: { camera, isBusy }, isShown, label }: ViewfinderProps) {
  const { ask, state, video } = camera
  const isOff = state === 'denied' || state === 'missing'
  useEffect(() => {
    const { current } = video
    if (isBusy) current?.pause()
    else void current?.play().catch(() => undefined)
  }, [isBusy, video])
  return (
    <>
      <video
        ref={video}
        muted
        playsInline
        autoPlay
        aria-label={`Cámara: ${label}`}
        className={classNames('absolute inset-0 size-full object-contain', (!isShown || isOff) && 'hidden')}
      />
      {isShown && state === 'asking' && (
        <p className="flex items-center gap-2 p-4">
          <LoaderCircle aria-hidden className="size-5 animate-spin" />
          Abriendo la cámara…
        </p>
      )}
      {isShown && isOff && (
        <div className="grid max-w-md gap-3 p-6 text-center">
          <p>{trouble[state]}</p>
          <Button variant="ghost" onClick={ask}>
            Intentar otra vez
          </Button>
        </div>
      )}
    </>
  )
}

type DoubtProps = Pick<StageProps, 'walk' | 'stop'> & { step: Extract<SlotStep, { name: 'doubt' }> }

/** A doubtful picture: what is wrong with it, and the choice to take another or leave it so. */
const Doubt = ({ walk, step, stop: { label } }: DoubtProps) => (
  <div className="grid w-full max-w-2xl content-start gap-3 self-start p-4">
    <DoubtfulPhoto label={label} doubt={step} />
    {/* What had the focus is gone. */}
    <Button autoFocus onClick={walk.again}>
      Tomar otra
    </Button>
    <KeepAnyway
      label={label}
      words="Dejarla así"
      keep={(reason) => void walk.keep(step, reason)}
      stop={walk.again}
      hasOther={false}
    />
  </div>
)

/** The end of the walk: what is still missing, or that nothing is. */
function Ended({ walk, stops }: Omit<StageProps, 'stop'>) {
  const missing = stops.filter(({ isDone, optional }) => !isDone && !optional)
  return (
    <div className="grid w-full max-w-md gap-4 p-6">
      {missing.length === 0 ? (
        <p className="flex items-center gap-2 text-lg font-semibold">
          <CircleCheck aria-hidden className="size-6 text-brand" />
          Ya están todas
        </p>
      ) : (
        <>
          <p className="text-lg font-semibold">
            {missing.length === 1 ? 'Falta 1 foto' : `Faltan ${missing.length} fotos`}
          </p>
          <ul className="grid gap-2">
            {missing.map(({ slot, label }) => (
              <li key={slot} className="grid">
                <Button variant="ghost" onClick={() => walk.goTo(slot)}>
                  {label}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {/* The shutter, which had the focus, is gone. */}
      <Button autoFocus onClick={walk.close}>
        <Check aria-hidden className="size-5" />
        Listo
      </Button>
    </div>
  )
}

type BarProps = Pick<StageProps, 'walk' | 'stop'>

/** The shutter under the thumb, and the ways on beside it. Each stays in its place, so that the focus is not lost. */
function Bar({ walk, stop }: BarProps) {
  const { camera, view } = walk
  const isKept = view === 'kept'
  const hasLens = camera.state === 'live' || camera.state === 'asking' || isKept
  const verb = `${stop.file ? 'Tomar otra' : 'Tomar foto'}: ${stop.label}`
  return (
    <div className="walk-bar items-center gap-1 border-t border-line px-2 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <BarButton
        label="Anterior"
        icon={<ChevronLeft aria-hidden className="size-6" />}
        press={() => walk.move(-1)}
      />
      <Gallery walk={walk} stop={stop} />
      {hasLens ? (
        <button
          ref={walk.shutter}
          type="button"
          aria-label={verb}
          aria-disabled={walk.isBusy || undefined}
          className={'walk-shutter aria-disabled:opacity-60'}
          onClick={() => void walk.shoot()}
        >
          {isKept && <RotateCcw aria-hidden className="size-7" />}
        </button>
      ) : (
        <Picker
          className="walk-shutter"
          accept="image/*"
          capture="environment"
          aria-label={verb}
          take={(file) => void walk.take(file)}
        >
          {null}
        </Picker>
      )}
      <Tool walk={walk} />
      <BarButton
        label={stop.isDone || stop.optional ? 'Siguiente' : 'Saltar'}
        icon={<ChevronRight aria-hidden className="size-6" />}
        press={() => walk.move(1)}
      />
    </div>
  )
}

const barButton =
  'grid min-h-14 content-center justify-items-center gap-0.5 rounded-control text-sm hover:bg-hover aria-disabled:opacity-30'

type BarButtonProps = {
  label: string
  icon: ReactNode
  press: () => void
  isPressed?: boolean
}

const BarButton = ({ label, icon, press, isPressed }: BarButtonProps) => (
  <button type="button" aria-pressed={isPressed} className={barButton} onClick={press}>
    {icon}
    {label}
  </button>
)

/** The pictures taken before: one, or several at once for the tray. */
function Gallery({ walk }: BarProps) {
  const waiting = walk.tray.pictures.length
  const icon = <Images aria-hidden className="size-6" />
  if (waiting > 0)
    return <BarButton label={`Acomodar (${waiting})`} icon={icon} press={() => walk.setView('tray')} />
  return (
    <Picker
      className={barButton}
      accept="image/*"
      aria-label="Elegir de la galería"
      multiple={walk.hasTray}
      take={(file, all) => (all.length > 1 ? walk.choose(all) : void walk.take(file))}
    >
      {icon}
      Galería
    </Picker>
  )
}

/** Light for what the camera sees, or drawing on what is kept. */
function Tool({ walk: { camera, setView, stop, view } }: Pick<BarProps, 'walk'>) {
  if (view === 'kept' && stop?.file)
    return (
      <BarButton
        label="Dibujar"
        icon={<PenLine aria-hidden className="size-6" />}
        press={() => setView('drawing')}
      />
    )
  if (!camera.hasTorch) return <span />
  return (
    <BarButton
      label="Luz"
      icon={<Flashlight aria-hidden className="size-6" />}
      press={camera.light}
      isPressed={camera.isLit}
    />
  )
}

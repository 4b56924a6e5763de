import { type KeyboardEvent, useRef, useState } from 'react'
import type { Draft } from '../offline/draft.ts'
import type { SheetKind } from '../reports/rules/report.ts'
import { useToast } from '../ui/toaster.tsx'
import type { WalkStop } from './photo-tray.tsx'
import { useCamera } from './use-camera.ts'
import { type SlotDraft, type SlotStep, usePhotoSlot } from './use-photo-slot.ts'
import { type TrayOwner, useTray } from './use-tray.ts'

/** What a walk of photos goes through, and where they go. */
export type PhotoWalkProps = {
  kind: SheetKind
  stops: readonly WalkStop[]
  /** The slot that it begins with. */
  first: string
  draft: SlotDraft & Pick<Draft, 'addFile'>
  /** Whose tray of pictures from the gallery it is; without one they come one by one. */
  owner?: TrayOwner
  onClose: () => void
  focusAfter: () => void
}

/** What is on the screen: the camera, the picture that is kept, the end, the tray, or drawing. */
type View = 'live' | 'kept' | 'ended' | 'tray' | 'drawing'

/** Where the walk is, and every way on from there. */
export function useWalk(props: PhotoWalkProps) {
  const { kind, draft, owner, onClose } = props
  const course = useCourse(props)
  const slot = usePhotoSlot(kind, course.at, draft)
  const tray = useTray(owner)
  const camera = useCamera()
  const shutter = useRef<HTMLButtonElement>(null)
  const [fromTray, setFromTray] = useState<string | null>(null)
  const toast = useToast()
  const moves = movesIn(course, slot)
  const parts = { course, slot, tray, camera, draft, fromTray, setFromTray }
  const pictures = picturesFor(parts)
  return {
    ...course,
    ...moves,
    ...pictures,
    step: slot.step,
    isBusy: slot.step.name === 'looking',
    camera,
    tray,
    shutter,
    hasTray: owner !== undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (course.view === 'tray' || course.view === 'drawing' || isTyping(event.target)) return
      if (event.key === 'ArrowLeft') moves.move(-1)
      if (event.key === 'ArrowRight') moves.move(1)
      const isFree = !(event.target as Element).closest('button, label')
      if (event.key === 'Enter' && isFree) void pictures.shoot()
    },
    close: () => {
      if (slot.step.name === 'doubt') return course.say(undecided)
      if (course.view === 'drawing') return course.setView('kept')
      if (tray.pictures.length > 0) toast(leftInTray(tray.pictures.length))
      onClose()
    },
  }
}

const undecided = 'Primero decide esta foto: toma otra, o déjala así.'

const leftInTray = (left: number) => ({
  title: left === 1 ? 'Queda 1 foto sin acomodar' : `Quedan ${left} fotos sin acomodar`,
  description: 'Siguen en este teléfono: vuelve a abrir la cámara y toca «Acomodar».',
})

const isTyping = (target: EventTarget) =>
  target instanceof Element && target.closest('textarea, input:not([type=file])') !== null

/** The photo that is taken now, what is shown of it, and what was said last. */
function useCourse({ first, stops }: PhotoWalkProps) {
  const [at, setAt] = useState(first)
  const stop = stops.find(({ slot }) => slot === at) ?? stops[0]
  const [view, setView] = useState<View>(stop?.isDone ? 'kept' : 'live')
  const [said, say] = useState('')
  return {
    at,
    stop,
    view,
    setView,
    said,
    say,
    stops,
    stand: (slot: string) => {
      setAt(slot)
      setView(stops.find((one) => one.slot === slot)?.isDone ? 'kept' : 'live')
    },
    /** On to the next one that is missing. */
    goOn: (from: string) => {
      const nth = stops.findIndex(({ slot }) => slot === from)
      const others = [...stops.slice(nth + 1), ...stops.slice(0, Math.max(nth, 0))]
      const next = others.find(({ isDone, optional }) => !isDone && !optional)
      const kept = `${stops[nth]?.label ?? ''}: guardada.`
      navigator.vibrate?.(30)
      say(next ? `${kept} Sigue: ${next.label}.` : `${kept} Ya están todas.`)
      if (!next) return setView('ended')
      setAt(next.slot)
      setView('live')
    },
  }
}

type Course = ReturnType<typeof useCourse>
type Slot = ReturnType<typeof usePhotoSlot>

/** To another photo; a picture that is looked at or undecided comes first. */
function movesIn({ at, say, setView, stand, stops, view }: Course, { step, stop }: Slot) {
  const goTo = (slot: string) => {
    if (step.name === 'looking') return
    if (step.name === 'doubt') return say(undecided)
    stop()
    say('')
    stand(slot)
  }
  const move = (by: 1 | -1) => {
    const nth = stops.findIndex(({ slot }) => slot === at)
    const to = view === 'ended' ? (by === -1 ? stops[nth] : undefined) : stops[nth + by]
    if (to) goTo(to.slot)
    else if (by === 1 && step.name !== 'doubt' && step.name !== 'looking') setView('ended')
  }
  return { goTo, move }
}

type Parts = Pick<PhotoWalkProps, 'draft'> & {
  course: Course
  slot: Slot
  tray: ReturnType<typeof useTray>
  camera: ReturnType<typeof useCamera>
  /** The picture of the tray that is in doubt now. */
  fromTray: string | null
  setFromTray: (id: string | null) => void
}

/** The ways of a picture into its place: from the camera, the gallery, the tray or a drawing. */
function picturesFor({ draft, camera, course, fromTray, setFromTray, slot, tray }: Parts) {
  const { at, setView, stand, stop, view } = course
  const came = (how: SlotStep['name'], into: string, picture: string | null) => {
    const isKept = how === 'idle' || how === 'unseen'
    if (isKept) setFromTray(null)
    if (picture !== null && isKept) tray.remove(picture)
    if (how === 'doubt') {
      stand(into)
      setFromTray(picture)
      setView('live')
    } else if (picture !== null) setView('tray')
    else if (how === 'unseen') setView('kept')
    else if (how === 'idle') course.goOn(into)
  }
  const take = async (picture: Blob) => came(await slot.take(picture, at), at, null)
  const isBusy = slot.step.name === 'looking'
  return {
    take,
    shoot: async () => {
      if (isBusy) return
      if (view !== 'live') return setView('live')
      const picture = await camera.shoot()
      if (picture) await take(picture)
    },
    assign: async (picture: { id: string; file: File }, into: string) => {
      if (!isBusy) came(await slot.take(picture.file, into), into, picture.id)
    },
    choose: (files: readonly File[]) => {
      tray.add(files)
      setView('tray')
    },
    keep: async (doubt: Extract<SlotStep, { name: 'doubt' }>, reason: string) =>
      came(await slot.keep(doubt, reason), doubt.slot, fromTray),
    again: () => {
      slot.stop()
      course.say('')
      setView(fromTray === null ? 'live' : 'tray')
      setFromTray(null)
    },
    draw: async (picture: Blob) => {
      await draft.addFile(at, picture, stop?.file?.keptBecause ?? null)
      course.say('Dibujo guardado.')
      setView('kept')
    },
  }
}

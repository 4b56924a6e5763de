import { ArrowUpRight, RotateCcw, Type } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { controlClass } from '../kit/form/field.tsx'
import { blankPaper, pictureFrom } from '../kit/look-at.ts'
import { Button, buttonClass } from '../ui/button.tsx'

type Point = { x: number; y: number }
/** A mark on a picture; places are parts of its width and height. */
type Mark = { kind: 'arrow'; from: Point; to: Point } | { kind: 'text'; to: Point; text: string }

/** Long side of what is drawn while the finger moves; the picture that is kept has all its pixels. */
const seenSide = 1280
const longestText = 40

type PhotoDrawingProps = {
  label: string
  url: string
  save: (picture: Blob) => Promise<void>
  stop: () => void
}

/** Arrows and short words on a picture; what is kept is a new picture in the same place. */
export function PhotoDrawing({ label, url, save, stop }: PhotoDrawingProps) {
  const { image, isBroken } = useImage(url)
  const [isSaving, setIsSaving] = useState(false)
  const drawing = useDrawing()
  const { marks, tool } = drawing
  const keep = async () => {
    if (!image) return
    setIsSaving(true)
    const paper = blankPaper(image.naturalWidth, image.naturalHeight)
    paint(paper, image, marks)
    await save(await pictureFrom(paper, 'image/jpeg', 0.9)).catch(() => setIsSaving(false))
  }
  return (
    <div className="walk-stage">
      <Tools drawing={drawing} />
      <div className="relative min-h-0 bg-[black]">
        {image && <Paper label={label} image={image} drawing={drawing} />}
        {isBroken && (
          <p className="p-6">No pudimos abrir la foto para dibujar. Inténtalo cuando haya señal.</p>
        )}
      </div>
      <div className="flex flex-wrap gap-2 border-t border-line px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        <p className="w-full text-mute">
          {tool === 'arrow' ? 'Arrastra hasta lo que quieres señalar.' : 'Escribe y toca dónde va.'}
        </p>
        <Button variant="ghost" className="flex-1" onClick={stop}>
          Cancelar
        </Button>
        <Button
          className="flex-1"
          pending={isSaving}
          disabled={!image || marks.length === 0}
          onClick={() => void keep()}
        >
          Guardar dibujo
        </Button>
      </div>
    </div>
  )
}

function useImage(url: string) {
  const [image, setImage] = useState<HTMLImageElement | null>(null)
  const [isBroken, setIsBroken] = useState(false)
  useEffect(() => {
    let isOver = false
    const loading = Object.assign(new Image(), { src: url })
    loading.decode().then(
      () => isOver || setImage(loading),
      () => isOver || setIsBroken(true),
    )
    return () => {
      isOver = true
    }
  }, [url])
  return { image, isBroken }
}

type Drawing = ReturnType<typeof useDrawing>

function useDrawing() {
  const [marks, setMarks] = useState<readonly Mark[]>([])
  const [tool, setTool] = useState<Mark['kind']>('arrow')
  const [text, setText] = useState('')
  return {
    marks,
    tool,
    setTool,
    text,
    setText,
    begin: (at: Point) => {
      if (tool === 'arrow') return setMarks([...marks, { kind: 'arrow', from: at, to: at }])
      if (text.trim()) setMarks([...marks, { kind: 'text', to: at, text: text.trim() }])
    },
    /** Draws the arrow that was begun up to here, or moves the words. */
    pull: (to: Point) => setMarks((all) => withLast(all, (mark) => ({ ...mark, to }))),
    /** Moves the last mark as a whole. */
    shift: (by: Point) => setMarks((all) => withLast(all, (mark) => shifted(mark, by))),
    /** A press without a way makes no arrow. */
    end: () =>
      setMarks((all) =>
        all.filter(
          (one) => one.kind === 'text' || Math.hypot(one.to.x - one.from.x, one.to.y - one.from.y) > 0.02,
        ),
      ),
    /** An arrow, or the words, in the middle: for who has keys alone. */
    put: () => {
      const middle = { x: 0.5, y: 0.5 }
      if (tool === 'arrow') setMarks([...marks, { kind: 'arrow', from: { x: 0.35, y: 0.65 }, to: middle }])
      else if (text.trim()) setMarks([...marks, { kind: 'text', to: middle, text: text.trim() }])
    },
    undo: () => setMarks(marks.slice(0, -1)),
  }
}

const withLast = (marks: readonly Mark[], change: (mark: Mark) => Mark): readonly Mark[] =>
  marks.map((mark, nth) => (nth === marks.length - 1 ? change(mark) : mark))

function shifted(mark: Mark, by: Point): Mark {
  const moved = ({ x, y }: Point) => ({ x: x + by.x, y: y + by.y })
  return mark.kind === 'arrow'
    ? { ...mark, from: moved(mark.from), to: moved(mark.to) }
    : { ...mark, to: moved(mark.to) }
}

function Tools({ drawing }: { drawing: Drawing }) {
  const { marks, setText, setTool, text, tool, undo } = drawing
  const toolClass = buttonClass('ghost', 'aria-pressed:border-brand aria-pressed:bg-brand-soft')
  return (
    <div className="grid gap-2 px-4 py-2">
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          aria-pressed={tool === 'arrow'}
          className={toolClass}
          onClick={() => setTool('arrow')}
        >
          <ArrowUpRight aria-hidden className="size-5" />
          Flecha
        </button>
        <button
          type="button"
          aria-pressed={tool === 'text'}
          className={toolClass}
          onClick={() => setTool('text')}
        >
          <Type aria-hidden className="size-5" />
          Texto
        </button>
        <Button variant="ghost" disabled={marks.length === 0} onClick={undo}>
          <RotateCcw aria-hidden className="size-5" />
          Deshacer
        </Button>
      </div>
      {tool === 'text' && (
        <input
          aria-label="Texto sobre la foto"
          value={text}
          maxLength={longestText}
          className={controlClass}
          onChange={({ target }) => setText(target.value)}
        />
      )}
    </div>
  )
}

type PaperProps = { label: string; image: HTMLImageElement; drawing: Drawing }

/** The picture with its marks. Keys: Enter puts a mark in the middle, arrows move the last one. */
function Paper({ label, image, drawing }: PaperProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const isDown = useRef(false)
  const { marks, tool } = drawing
  const scale = Math.min(seenSide / Math.max(image.naturalWidth, image.naturalHeight), 1)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context) paint(context, image, marks)
  }, [image, marks])
  const at = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = canvas.current!.getBoundingClientRect()
    return { x: (clientX - left) / width, y: (clientY - top) / height }
  }
  const move = (event: KeyboardEvent) => {
    const by = steps[event.key]
    if (event.key !== 'Enter' && !by) return
    event.preventDefault()
    if (by) drawing.shift(by)
    else drawing.put()
  }
  return (
    <div
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: marks are put and moved by keys, too.
      tabIndex={0}
      aria-label={`Dibujar sobre ${label}. Enter pone ${tool === 'arrow' ? 'una flecha' : 'el texto'} en el centro; las flechas del teclado mueven lo último.`}
      className="absolute inset-0 -outline-offset-2"
      onKeyDown={move}
    >
      <canvas
        ref={canvas}
        width={Math.round(image.naturalWidth * scale)}
        height={Math.round(image.naturalHeight * scale)}
        className="walk-paper absolute inset-0 m-auto touch-none"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          isDown.current = true
          drawing.begin(at(event))
        }}
        onPointerMove={(event) => {
          if (isDown.current && (tool === 'arrow' || drawing.text.trim())) drawing.pull(at(event))
        }}
        onPointerUp={() => {
          isDown.current = false
          drawing.end()
        }}
      />
    </div>
  )
}

/** Parts of the picture that one key moves a mark. */
const steps: Record<string, Point> = {
  ArrowLeft: { x: -0.02, y: 0 },
  ArrowRight: { x: 0.02, y: 0 },
  ArrowUp: { x: 0, y: -0.02 },
  ArrowDown: { x: 0, y: 0.02 },
}

/** Red with a white edge: seen on any wall. */
const markInk = '#d61f26'
const markEdge = '#ffffff'

function paint(context: CanvasRenderingContext2D, image: HTMLImageElement, marks: readonly Mark[]) {
  const { width, height } = context.canvas
  context.drawImage(image, 0, 0, width, height)
  const unit = Math.max(width, height) / 100
  for (const mark of marks) {
    const to = { x: mark.to.x * width, y: mark.to.y * height }
    if (mark.kind === 'text') write(context, mark.text, to, unit)
    else arrow(context, { x: mark.from.x * width, y: mark.from.y * height }, to, unit)
  }
}

function arrow(context: CanvasRenderingContext2D, from: Point, to: Point, unit: number) {
  const way = Math.atan2(to.y - from.y, to.x - from.x)
  const head = 5 * unit
  context.lineCap = 'round'
  context.lineJoin = 'round'
  for (const [ink, wide] of [
    [markEdge, 2.2],
    [markInk, 1.2],
  ] as const) {
    context.strokeStyle = ink
    context.lineWidth = wide * unit
    context.beginPath()
    context.moveTo(from.x, from.y)
    context.lineTo(to.x, to.y)
    for (const side of [way + 2.6, way - 2.6]) {
      context.moveTo(to.x, to.y)
      context.lineTo(to.x + head * Math.cos(side), to.y + head * Math.sin(side))
    }
    context.stroke()
  }
}

function write(context: CanvasRenderingContext2D, text: string, at: Point, unit: number) {
  context.font = `600 ${4 * unit}px "Inter Variable", sans-serif`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const wide = context.measureText(text).width + 3 * unit
  context.fillStyle = markInk
  context.fillRect(at.x - wide / 2, at.y - 3.2 * unit, wide, 6.4 * unit)
  context.fillStyle = markEdge
  context.fillText(text, at.x, at.y)
}

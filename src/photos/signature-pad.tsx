import { Eraser, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import Pad, { type PointGroup } from 'signature_pad'
import { blankPaper, pictureFrom } from '../kit/look-at.ts'
import { Button } from '../ui/button.tsx'

/** Pixels of the stored picture; the canvas has as many, whatever its size on the screen. */
const paper = { width: 1600, height: 896 }
/** Dark on white, whatever the colours of the screen; widths in pixels of the paper. */
const ink = { penColor: '#101c2e', minWidth: 8, maxWidth: 13, dotSize: 12 }
/** A signature extends over, and has a line of, at least these parts of the paper's width. */
const MIN_EXTENT = 0.12
const MIN_LENGTH = 0.2

type SignaturePadProps = {
  /** Who signs. */
  signer: string | null
  /** The words of the button that keeps it. */
  done: string
  save: (picture: Blob) => Promise<void>
}

/**
 * A signature drawn with a finger, a pen or the mouse, on paper as large as its place. A person who can't draw sends a
 * photo of the signed paper, beside it.
 */
export function SignaturePad({ signer, done, save }: SignaturePadProps) {
  const { canvas, pad, size } = useSignaturePad(() => changed(false))
  const [isEmpty, setIsEmpty] = useState(true)
  const [isRefused, setIsRefused] = useState(false)
  const changed = (empty: boolean) => {
    setIsEmpty(empty)
    setIsRefused(false)
  }
  const keep = (strokes: PointGroup[]) => {
    pad.current?.fromData(strokes)
    changed(strokes.length === 0)
  }
  const strokes = () => pad.current?.toData() ?? []
  const send = async () => {
    const { width, height } = size.current
    if (!canvas.current || !isSigned(strokes(), width, height)) return setIsRefused(true)
    await save(await onPaper(canvas.current, strokes(), size.current))
  }
  return (
    <div className="grid min-h-0 grid-rows-[1fr_auto] gap-2 border-t border-line bg-card p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] short:border-t-0 short:border-l">
      <div className="relative min-h-0 overflow-hidden rounded-control border border-edge bg-[white]">
        <SignatureLine isEmpty={isEmpty} />
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Firma de ${signer ?? 'quien recibe'}, ${isEmpty ? 'en blanco' : 'con trazos'}`}
          width={paper.width}
          height={paper.height}
          className="absolute inset-0 block size-full cursor-crosshair touch-none select-none"
        />
        <div role="status" className="pointer-events-none absolute inset-x-3 top-2">
          {isRefused && (
            <p className="font-medium text-[#b3261e]">
              {isEmpty ? 'Todavía no hay firma.' : 'Es muy pequeña para ser una firma. Hazla más grande.'}
            </p>
          )}
        </div>
      </div>
      <div className="flex gap-2">
        <Button
          variant="ghost"
          aria-label="Deshacer"
          aria-disabled={isEmpty}
          className="px-3.5"
          onClick={() => keep(strokes().slice(0, -1))}
        >
          <Undo2 aria-hidden className="size-5" />
        </Button>
        <Button
          variant="ghost"
          aria-label="Borrar"
          aria-disabled={isEmpty}
          className="px-3.5"
          onClick={() => keep([])}
        >
          <Eraser aria-hidden className="size-5" />
        </Button>
        <Button className="flex-1" onClick={() => void send()}>
          {done}
        </Button>
      </div>
    </div>
  )
}

/** The line and words over the blank paper; not part of the picture. */
const SignatureLine = ({ isEmpty }: { isEmpty: boolean }) => (
  <div
    aria-hidden
    className="absolute inset-x-6 bottom-[22%] border-b-2 border-dotted border-[#9aa5a1] pb-1 text-center text-[#5d6b66]"
  >
    {isEmpty && 'Firma aquí'}
  </div>
)

/** A pad on a canvas. Its strokes are in CSS pixels, so they are scaled with the canvas when the phone is turned. */
function useSignaturePad(onBegin: () => void) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<Pad>(null)
  const size = useRef<Size>(paper)
  const begin = useRef(onBegin)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const drawn = new Pad(element, ink)
    pad.current = drawn
    drawn.addEventListener('beginStroke', () => begin.current())
    const resized = new ResizeObserver(() => {
      const { clientHeight: height, clientWidth: width } = element
      if (width === 0 || height === 0) return
      const by = Math.min(width / size.current.width, height / size.current.height)
      const strokes = drawn.toData().map((stroke) => scaled(stroke, by))
      const scale = paper.width / width
      size.current = { width, height }
      Object.assign(element, { width: paper.width, height: Math.round(height * scale) })
      Object.assign(drawn, scaledWidths(ink, 1 / scale))
      element.getContext('2d')?.setTransform(scale, 0, 0, scale, 0, 0)
      drawn.fromData(strokes)
    })
    resized.observe(element)
    return () => {
      resized.disconnect()
      drawn.off()
    }
  }, [])
  return { canvas, pad, size }
}

type Widths = Pick<PointGroup, 'minWidth' | 'maxWidth' | 'dotSize'>
const scaledWidths = ({ dotSize, maxWidth, minWidth }: Widths, by: number): Widths => ({
  dotSize: dotSize * by,
  maxWidth: maxWidth * by,
  minWidth: minWidth * by,
})
const scaled = (stroke: PointGroup, by: number): PointGroup => ({
  ...stroke,
  ...scaledWidths(stroke, by),
  points: stroke.points.map((point) => ({ ...point, x: point.x * by, y: point.y * by })),
})

type Stroke = { points: readonly { x: number; y: number }[] }
type Size = { width: number; height: number }

/** Pixels of the stored picture left blank around a signature. */
const margin = 40

/** What was drawn, in the middle of the picture that is kept: its size and shape are always the same. */
function onPaper(
  canvas: HTMLCanvasElement,
  strokes: readonly Stroke[],
  { width, height }: Size,
): Promise<Blob> {
  const scale = canvas.width / width
  const points = strokes.flatMap((stroke) => stroke.points)
  const span = (places: number[], most: number) => {
    const inside = places.map((place) => within(place, most) * scale)
    const from = Math.max(0, Math.min(...inside) - margin)
    return { from, length: Math.min(most * scale, Math.max(...inside) + margin) - from }
  }
  const x = span(
    points.map((point) => point.x),
    width,
  )
  const y = span(
    points.map((point) => point.y),
    height,
  )
  const by = Math.min(1, paper.width / x.length, paper.height / y.length)
  const wide = x.length * by
  const high = y.length * by
  const picture = blankPaper(paper.width, paper.height)
  picture.drawImage(
    canvas,
    x.from,
    y.from,
    x.length,
    y.length,
    (paper.width - wide) / 2,
    (paper.height - high) / 2,
    wide,
    high,
  )
  return pictureFrom(picture, 'image/png')
}

/** Whether strokes on a canvas of this width are a signature, and not a dot left by accident. */
export function isSigned(
  strokes: readonly Stroke[],
  width: number,
  height = (width * paper.height) / paper.width,
): boolean {
  const lines = strokes.map(({ points }) =>
    points.map(({ x, y }) => ({ x: within(x, width), y: within(y, height) })),
  )
  const extent = (axis: 'x' | 'y') => {
    const places = lines.flat().map((point) => point[axis])
    return Math.max(...places) - Math.min(...places)
  }
  const length = lines.flatMap((line) =>
    line.slice(1).map(({ x, y }, nth) => Math.hypot(x - line[nth]!.x, y - line[nth]!.y)),
  )
  const sum = length.reduce((total, part) => total + part, 0)
  return Math.max(extent('x'), extent('y')) >= MIN_EXTENT * width && sum >= MIN_LENGTH * width
}

/** Strokes beyond the edge are not in the picture. */
const within = (value: number, most: number) => Math.min(Math.max(value, 0), most)

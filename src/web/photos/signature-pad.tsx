import { Eraser, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import Pad, { type PointGroup } from 'signature_pad'
import { Button } from '../ui/button.tsx'
import { blankPaper, pictureFrom } from './use-photo-slot.ts'

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
  save: (picture: Blob) => Promise<void>
}

/**
 * A signature drawn on the screen with a finger, a pen or the mouse. A person who can't draw sends a photo of the
 * signed paper, beside it.
 */
export function SignaturePad({ signer, save }: SignaturePadProps) {
  const { canvas, pad, width } = useSignaturePad(() => changed(false))
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
    if (!canvas.current || !isSigned(strokes(), width.current)) return setIsRefused(true)
    const picture = blankPaper(paper.width, paper.height)
    picture.drawImage(canvas.current, 0, 0)
    await save(await pictureFrom(picture, 'image/png'))
  }
  return (
    <div className="grid grid-cols-1 gap-3 noscript:hidden">
      <div className="relative overflow-hidden rounded-control border border-edge bg-[white]">
        <SignatureLine isEmpty={isEmpty} />
        <canvas
          ref={canvas}
          role="img"
          aria-label={`Firma de ${signer ?? 'quien recibe'}, ${isEmpty ? 'en blanco' : 'con trazos'}`}
          {...paper}
          className="relative block h-auto w-full cursor-crosshair touch-none select-none"
        />
      </div>
      <div role="status" className="contents">
        {isRefused && (
          <p className="text-[0.9375rem] font-medium text-bad">
            {isEmpty ? 'Todavía no hay firma.' : 'Es muy pequeña para ser una firma. Hazla más grande.'}
          </p>
        )}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Button variant="ghost" aria-disabled={isEmpty} onClick={() => keep(strokes().slice(0, -1))}>
          <Undo2 aria-hidden className="size-5" />
          Deshacer
        </Button>
        <Button variant="ghost" aria-disabled={isEmpty} onClick={() => keep([])}>
          <Eraser aria-hidden className="size-5" />
          Borrar
        </Button>
      </div>
      <Button onClick={() => void send()}>Guardar firma</Button>
    </div>
  )
}

/** The line and words over the blank paper; not part of the picture. */
const SignatureLine = ({ isEmpty }: { isEmpty: boolean }) => (
  <svg aria-hidden viewBox="0 0 1000 560" className="absolute inset-0 size-full">
    <path d="M70,430H930" stroke="#9aa5a1" strokeWidth="3" strokeDasharray="2 12" strokeLinecap="round" />
    {isEmpty && (
      <text x="500" y="400" textAnchor="middle" fontSize="44" fill="#5d6b66">
        Firma aquí
      </text>
    )}
  </svg>
)

/** A pad on a canvas. Its strokes are in CSS pixels, so they are scaled with the canvas when the screen is turned. */
function useSignaturePad(onBegin: () => void) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<Pad>(null)
  const width = useRef<number>(paper.width)
  const begin = useRef(onBegin)
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const drawn = new Pad(element, ink)
    pad.current = drawn
    drawn.addEventListener('beginStroke', () => begin.current())
    const resized = new ResizeObserver(() => {
      const { clientWidth } = element
      if (clientWidth === 0) return
      const strokes = drawn.toData().map((stroke) => scaled(stroke, clientWidth / width.current))
      width.current = clientWidth
      Object.assign(drawn, scaledWidths(ink, clientWidth / paper.width))
      const scale = paper.width / clientWidth
      element.getContext('2d')?.setTransform(scale, 0, 0, scale, 0, 0)
      drawn.fromData(strokes)
    })
    resized.observe(element)
    return () => {
      resized.disconnect()
      drawn.off()
    }
  }, [])
  return { canvas, pad, width }
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

/** Whether strokes on a canvas of this width are a signature, and not a dot left by accident. */
export function isSigned(strokes: readonly Stroke[], width: number): boolean {
  const height = (width * paper.height) / paper.width
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

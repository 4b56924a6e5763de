import type { PointerEvent } from 'react'
import { ink } from './signature-picture.ts'
import { extended, type Point, paper, pathOf, type Stroke } from './stroke.ts'

type SignaturePaperProps = {
  label: string
  strokes: readonly Stroke[]
  onDraw: (strokes: readonly Stroke[]) => void
}

/** White paper to sign on with a finger, a pen or the mouse. Drawn in its own units, it loses nothing when it is resized. */
export function SignaturePaper({ label, strokes, onDraw }: SignaturePaperProps) {
  const begin = (event: PointerEvent<SVGSVGElement>) => {
    // A second finger, or the palm, signs nothing.
    if (!event.isPrimary || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    onDraw([...strokes, extended([], pointOf(event, event.currentTarget))])
  }
  const draw = (event: PointerEvent<SVGSVGElement>) => {
    if (!event.isPrimary || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const page = event.currentTarget
    const events = event.nativeEvent.getCoalescedEvents?.() ?? []
    const moves = events.length > 0 ? events : [event.nativeEvent]
    const stroke = moves.reduce<Stroke>(
      (sofar, move) => extended(sofar, pointOf(move, page)),
      strokes.at(-1) ?? [],
    )
    if (stroke !== strokes.at(-1)) onDraw([...strokes.slice(0, -1), stroke])
  }
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${paper.width} ${paper.height}`}
      className="block w-full cursor-crosshair touch-none rounded-control border border-edge bg-[white] select-none"
      onPointerDown={begin}
      onPointerMove={draw}
    >
      <path
        d={`M70,430H${paper.width - 70}`}
        stroke="#9aa5a1"
        strokeWidth="3"
        strokeDasharray="2 12"
        strokeLinecap="round"
      />
      {strokes.length === 0 && (
        <text x={paper.width / 2} y="400" textAnchor="middle" fontSize="44" fill="#5d6b66">
          Firma aquí
        </text>
      )}
      {strokes.map((stroke, nth) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: strokes only come and go at the end
          key={nth}
          d={pathOf(stroke)}
          fill="none"
          stroke={ink.colour}
          strokeWidth={ink.width}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  )
}

function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, page: Element): Point {
  const { left, top, width, height } = page.getBoundingClientRect()
  return [((clientX - left) / width) * paper.width, ((clientY - top) / height) * paper.height]
}

import type { CSSProperties } from 'react'
import { percentOf } from '../../domain/scheduling/board.ts'
import type { Span } from '../../domain/scheduling/roster.ts'

/** Where a stretch of the day lies in its lane; only a desk's lane reads it. */
export const placeOf = (span: Span, hours: Span) =>
  ({
    '--from': `${percentOf(Math.max(span.start, hours.start), hours)}%`,
    '--to': `${100 - percentOf(Math.min(span.end, hours.end), hours)}%`,
  }) as CSSProperties

/** The class of what stands at `placeOf`. */
export const placed = 'lg:absolute lg:right-(--to) lg:left-(--from)'

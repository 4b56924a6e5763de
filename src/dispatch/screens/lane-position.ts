import type { CSSProperties } from 'react'
import type { MinuteSpan } from '../../scheduling/rules/roster.ts'
import { spanPercentOf } from '../rules/board.ts'

/** Where a stretch of the day lies in its lane; only a desk's lane reads it. */
export const lanePositionOf = (span: MinuteSpan, hours: MinuteSpan) =>
  ({
    '--from': `${spanPercentOf(Math.max(span.start, hours.start), hours)}%`,
    '--to': `${100 - spanPercentOf(Math.min(span.end, hours.end), hours)}%`,
  }) as CSSProperties

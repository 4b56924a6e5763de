import type { OpenLine } from '../../domain/payments/bank-matching.ts'
import { money, shortDate } from '../../domain/shared/format.ts'

/** A movement as the bank tells it. */
export const LineWords = ({
  line: { amount, bookedOn, description, reference, trackingKey },
}: {
  line: OpenLine
}) => (
  <div className="grid min-w-0 gap-0.5">
    <p className="font-semibold tabular-nums">{money(amount)}</p>
    <p className="text-[0.9375rem] wrap-anywhere">{description || 'Sin descripción'}</p>
    <p className="text-sm text-mute wrap-anywhere">
      {[shortDate(bookedOn), trackingKey && `clave ${trackingKey}`, reference && `referencia ${reference}`]
        .filter(Boolean)
        .join(', ')}
    </p>
  </div>
)

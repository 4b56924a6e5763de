import { bankLineStates } from '../../domain/payments/bank-matching.ts'
import { money, relative, shortDate } from '../../domain/shared/format.ts'
import type { DecidedMovement } from '../../server/payments/queries.ts'
import { Badge } from '../ui/badge.tsx'
import { Details } from '../ui/details.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'

type DecidedListProps = { rows: readonly DecidedMovement[]; now: Date }

/** What was said of movements last; one that was put aside can come back. */
export const DecidedList = ({ rows, now }: DecidedListProps) => (
  <Details summary="Lo último que aclaraste">
    <ul className="grid">
      {rows.map((row) => (
        <li
          key={row.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-3 first:border-0 first:pt-0 last:pb-0"
        >
          <div className="grid min-w-0 gap-0.5">
            <p className="wrap-anywhere">
              <span className="font-semibold tabular-nums">{money(row.amount)}</span>
              {`, ${shortDate(row.bookedOn)}, ${row.description || 'sin descripción'}`}
            </p>
            <p className="text-sm text-mute wrap-anywhere">
              {[row.folio, row.reason, row.by, relative(row.decidedAt, now)].filter(Boolean).join(', ')}
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Badge tone={row.state === 'ignored' ? 'neutral' : 'ok'}>{bankLineStates[row.state]}</Badge>
            {row.state === 'ignored' && (
              <Form>
                <input type="hidden" name="lineId" value={row.id} />
                <Submit name="intent" value="reopen-line" variant="ghost">
                  Regresar a la lista
                </Submit>
              </Form>
            )}
          </div>
        </li>
      ))}
    </ul>
  </Details>
)

import type { ReadStatement } from '../../server/reconciliation/statements.ts'
import { dateTime, thousands } from '../format.ts'
import { Details } from '../ui/details.tsx'

/** The files that were read, with what came of each. */
export const StatementList = ({ rows }: { rows: readonly ReadStatement[] }) => (
  <Details summary="Archivos leídos">
    <ul className="grid gap-3">
      {rows.map(({ debits, id, linesKnown, linesNew, name, readAt, unread }) => (
        <li key={id} className="grid gap-0.5">
          <span className="wrap-anywhere">{name}</span>
          <span className="text-sm text-mute">
            {[
              dateTime(readAt),
              counted(linesNew, 'nuevo'),
              `${thousands(linesKnown)} que ya tenías`,
              counted(debits, 'cargo'),
              unread.length > 0 && `sin leer los renglones ${unread.join(', ')}`,
            ]
              .filter(Boolean)
              .join(', ')}
          </span>
        </li>
      ))}
    </ul>
  </Details>
)

const counted = (count: number, word: string) => `${thousands(count)} ${word}${count === 1 ? '' : 's'}`

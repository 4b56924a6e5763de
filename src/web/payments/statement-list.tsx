import { counted, dateTime, thousands } from '../../domain/shared/format.ts'
import type { ReadStatement } from '../../server/payments/statements.ts'
import { Details } from '../ui/details.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import type { Heard } from './open-lines.tsx'

type StatementListProps = { rows: readonly ReadStatement[]; heard: Heard }

/** The files that were read, with what came of each; one of which nothing was decided can be taken back. */
export const StatementList = ({ rows, heard }: StatementListProps) => (
  <Details summary="Archivos leídos" open={heard('take-back-statement') !== undefined}>
    <ul className="grid gap-3">
      {rows.map((row) => (
        <li key={row.id} className="grid gap-0.5">
          <span className="wrap-anywhere">{row.name}</span>
          <span className="text-sm text-mute">{wordsOf(row)}</span>
          {row.canGoBack && <TakeBack row={row} heard={heard} />}
        </li>
      ))}
    </ul>
  </Details>
)

const wordsOf = ({ debits, linesKnown, linesNew, readAt, unread }: ReadStatement) =>
  [
    dateTime(readAt),
    counted(linesNew, 'nuevo', 'nuevos'),
    `${thousands(linesKnown)} que ya tenías`,
    counted(debits, 'cargo', 'cargos'),
    unread.length > 0 && `sin leer los renglones ${unread.join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ')

function TakeBack({ row: { id, linesNew, name }, heard }: { row: ReadStatement; heard: Heard }) {
  const result = heard('take-back-statement', id)
  return (
    <details open={result !== undefined}>
      <summary className="flex min-h-11 items-center text-[0.9375rem] font-medium text-mute lg:min-h-9">
        ¿Se leyó mal?
      </summary>
      <Form result={result} className="max-w-prose gap-3 pb-2">
        <input type="hidden" name="statementId" value={id} />
        <p className="text-mute">
          {linesNew === 1 ? 'Quitamos el movimiento' : `Quitamos los ${thousands(linesNew)} movimientos`}
          {' que trajo este archivo. Después lo subes otra vez y eliges sus columnas.'}
        </p>
        <Submit
          name="intent"
          value="take-back-statement"
          variant="destructive"
          className="justify-self-start max-sm:w-full"
        >
          Deshacer la lectura
          <span className="sr-only">{` de ${name}`}</span>
        </Submit>
      </Form>
    </details>
  )
}

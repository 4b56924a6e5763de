import { Landmark } from 'lucide-react'
import type { OpenLine } from '../../domain/payments/bank-matching.ts'
import { thousands } from '../../domain/shared/format.ts'
import type { PairedPayment, ShownMatch } from '../../server/payments/queries.ts'
import { Card } from '../ui/card.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { Submit } from '../ui/submit.tsx'
import { LoneLine } from './lone-line.tsx'
import { MatchRow } from './match-row.tsx'

/** What the form of a movement or a file was answered with, where it was the one that was sent. */
export type Heard = (intent: string, id?: string) => FormResult | undefined
type OpenLinesProps = {
  lines: readonly OpenLine[]
  matches: readonly ShownMatch[]
  total: number
  first: string | null
  next: string | null
  waiting: readonly PairedPayment[]
  heard: Heard
}

/** The movements that nobody said anything of yet: those that seem to be a payment, and the others. */
export function OpenLines({ lines, matches, total, first, next, waiting, heard }: OpenLinesProps) {
  const lineOf = (id: string) => lines.find((line) => line.id === id)!
  const lone = lines.filter(({ id }) => !matches.some(({ lineId }) => lineId === id))
  if (lines.length === 0)
    return (
      <EmptyState icon={Landmark}>
        No hay movimientos por aclarar. Sube los de tu banco y aquí verás cuáles son pagos.
      </EmptyState>
    )
  return (
    <>
      <datalist id="pagos-que-esperas">
        {waiting.map(({ customer, folio, id }) => (
          <option key={id} value={folio}>
            {customer}
          </option>
        ))}
      </datalist>
      {matches.length > 0 && (
        <Card title="Parecen ser estos pagos" aside={<ConfirmSure matches={matches} />}>
          <ul className="grid">
            {matches.map((match) => (
              <MatchRow key={match.lineId} match={match} line={lineOf(match.lineId)} heard={heard} />
            ))}
          </ul>
        </Card>
      )}
      {lone.length > 0 && (
        <Card title="Sin pareja">
          <p className="text-mute">
            No encontramos un solo pago que coincida. Une cada uno a su pago, o di por qué no es uno.
          </p>
          <ul className="grid">
            {lone.map((line) => (
              <LoneLine key={line.id} line={line} heard={heard} />
            ))}
          </ul>
        </Card>
      )}
      <Pagination previous={first} next={next}>
        {`${thousands(total)} movimientos por aclarar, los más antiguos primero.`}
      </Pagination>
    </>
  )
}

/** What names its payment and agrees in amount is confirmed with one press: exactly what is shown, and nothing that changed meanwhile. */
function ConfirmSure({ matches }: { matches: readonly ShownMatch[] }) {
  const sure = matches.filter((match) => match.sure)
  if (sure.length < 2) return null
  const pairs = sure.map(({ lineId, payment: { id, version } }) => `${lineId}:${id}:${version}`).join(',')
  return (
    <Form className="max-sm:w-full">
      <input type="hidden" name="pairs" value={pairs} />
      <Submit name="intent" value="confirm-sure">{`Confirmar las ${sure.length} seguras`}</Submit>
    </Form>
  )
}

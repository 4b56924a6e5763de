import { Landmark } from 'lucide-react'
import { Field } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult, useOwnResult } from '../../kit/form/form.tsx'
import { counted, lowerFirst, money, shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import type { PairedPayment } from '../bank-candidates.ts'
import type { ChosenPayment, ShownMatch } from '../bank-matching.ts'
import { matchReasons, type OpenLine } from '../rules/bank-matching.ts'
import { conceptLabels, consequenceWords } from '../rules/payment.ts'
import { PaymentBadge } from './payment-badge.tsx'
import { AmountStep, BookButton } from './review-proof.tsx'

type OpenLinesProps = {
  lines: readonly OpenLine[]
  matches: readonly ShownMatch[]
  total: number
  first: string | null
  next: string | null
  waiting: readonly PairedPayment[]
}

/** The movements without a decision yet: those that seem to be a payment, and the others. */
export function OpenLines({ lines, matches, total, first, next, waiting }: OpenLinesProps) {
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
            {matches
              .toSorted((one, other) => Number(other.sure) - Number(one.sure))
              .map((match) => (
                <MatchRow key={match.lineId} match={match} line={lineOf(match.lineId)} />
              ))}
          </ul>
        </Card>
      )}
      {lone.length > 0 && (
        <Card title="Sin identificar">
          <p className="text-mute">
            No encontramos un solo pago que coincida. Asigna cada uno a su pago, o di por qué no es uno.
          </p>
          <ul className="grid">
            {lone.map((line) => (
              <LoneLine key={line.id} line={line} />
            ))}
          </ul>
        </Card>
      )}
      <Pagination previous={first} next={next}>
        {`${counted(total, 'movimiento', 'movimientos')} por aclarar, los más antiguos primero.`}
      </Pagination>
    </>
  )
}

/**
 * A match that names its payment and agrees in amount is confirmed with one press: exactly what is shown, and
 * nothing that changed meanwhile.
 */
function ConfirmSure({ matches }: { matches: readonly ShownMatch[] }) {
  const sure = matches.filter((match) => match.sure)
  if (sure.length < 2) return null
  const pairs = sure.map(({ lineId, payment: { id, version } }) => `${lineId}:${id}:${version}`).join(',')
  return (
    <Form intent="confirm-sure" className="max-sm:w-full">
      <input type="hidden" name="pairs" value={pairs} />
      <Submit>{`Confirmar los ${sure.length} seguros`}</Submit>
    </Form>
  )
}

type MatchRowProps = { match: ShownMatch; line: OpenLine }

/** A movement beside the payment that it seems to be, and why. */
function MatchRow({ match: { consequence, payment, reason, sure }, line }: MatchRowProps) {
  const { amount, concept, customer, folio, id, state, to, version } = payment
  const target = { lineId: line.id }
  const isOtherwise = useFormResult(['tie-line', 'ignore-line'], target) !== undefined
  return (
    <li className="grid gap-3 border-t border-line py-4 first:border-0 first:pt-0 last:pb-0 lg:grid-cols-[1fr_1fr_auto] lg:items-center lg:gap-6">
      <LineWords line={line} />
      <div className="grid min-w-0 justify-items-start gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Link to={to} prefetch="intent" className="font-semibold">
            {folio}
          </Link>
          <span className="tabular-nums">{money(amount)}</span>
        </p>
        <p className="text-[0.9375rem] wrap-anywhere">{`${customer}, ${lowerFirst(conceptLabels[concept])}`}</p>
        <p className="flex flex-wrap items-center gap-2">
          <PaymentBadge state={state} />
          <Badge tone={sure ? 'ok' : 'wait'}>{matchReasons[reason]}</Badge>
        </p>
        {consequence && <p className="text-[0.9375rem] font-medium">{consequenceWords(consequence)}</p>}
      </div>
      <Form intent="confirm-match" target={target} className="lg:max-w-64">
        <input type="hidden" name="paymentId" value={id} />
        <input type="hidden" name="version" value={version} />
        {consequence ? <input type="hidden" name="sure" value={line.amount} /> : <AmountStep />}
        <Submit variant={sure ? 'primary' : 'ghost'}>
          {state === 'paid'
            ? 'Sí, es este'
            : amount === line.amount
              ? 'Registrar pago'
              : `Registrar ${money(line.amount)}`}
          <span className="sr-only">{` de ${folio}`}</span>
        </Submit>
      </Form>
      <details className="lg:col-span-full" open={isOtherwise}>
        <summary className="flex min-h-11 items-center text-[0.9375rem] font-medium text-mute lg:min-h-9">
          No es este pago
        </summary>
        <LineChoices line={line} />
      </details>
    </li>
  )
}

/** A movement that seems to be no payment. */
const LoneLine = ({ line }: { line: OpenLine }) => (
  <li className="grid gap-3 border-t border-line py-4 first:border-0 first:pt-0 last:pb-0 lg:grid-cols-2 lg:items-start lg:gap-6">
    <LineWords line={line} />
    <LineChoices line={line} />
  </li>
)

/** The user ties a movement to a payment, or says what it is. */
function LineChoices({ line: { id } }: { line: OpenLine }) {
  const target = { lineId: id }
  return (
    <div className="grid gap-2">
      <FormDetails summary="Asignar a un pago" intent="tie-line" target={target}>
        <Field
          label="Folio del pago"
          name="folio"
          list="pagos-que-esperas"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={40}
          help="Si está pendiente, se registra con esta cantidad; si ya estaba registrado, solo se asigna."
        />
        <ChosenStep />
      </FormDetails>
      <FormDetails summary="No es un pago" intent="ignore-line" target={target}>
        <Field
          label="¿Qué es?"
          name="reason"
          maxLength={300}
          help="Por ejemplo, un traspaso entre tus cuentas."
        />
        <Submit variant="ghost">Quitar de la lista</Submit>
      </FormDetails>
    </div>
  )
}

/** The second step, once its folio's customer and amount were shown: the payment that was seen, and what happens. */
function ChosenStep() {
  const { chosen } = (useOwnResult()?.refusal?.details ?? {}) as { chosen?: ChosenPayment }
  return (
    <>
      {chosen && <input type="hidden" name="seen" value={`${chosen.id}:${chosen.version}`} />}
      <AmountStep />
      {chosen?.state === 'paid' ? (
        <Submit>{`Sí, es ${chosen.folio}`}</Submit>
      ) : (
        <BookButton>Asignar</BookButton>
      )}
    </>
  )
}

/** A movement as the bank describes it. */
const LineWords = ({
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

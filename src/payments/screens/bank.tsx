import { Field } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { counted, dateTime, money, relative, shortDate, thousands } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import type { PairedPayment } from '../bank-candidates.ts'
import type { DecidedMovement } from '../bank-matching.ts'
import { bankLineStates } from '../rules/bank-matching.ts'
import { conceptLabels } from '../rules/payment.ts'
import type { ReadStatement } from '../statements.ts'
import type { Route } from './+types/bank.ts'
import { bankForms, loadBank } from './bank-server.ts'
import { allLacking, bankPath, statementPath } from './office-path.ts'
import { OpenLines } from './open-lines.tsx'
import { StatementColumns } from './statement-columns.tsx'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'payments')
    return loadBank({ context, url })
  })

export const action = forms(({ context, url }: Route.ActionArgs) => {
  assertModule(context, 'payments')
  return bankForms(context, url)
})

/** What the bank reports as received, beside what was requested. */
export default function Bank({ loaderData: { draft, movements } }: Route.ComponentProps) {
  return (
    <>
      <OrphanedFormError />
      {draft && <StatementColumns draft={draft} />}
      {movements && <Movements {...movements} />}
    </>
  )
}

type MovementsProps = NonNullable<Awaited<ReturnType<typeof loadBank>>['movements']>

const Movements = ({ decided, lacking, left, now, open, statements, waiting }: MovementsProps) => (
  <div className="grid grid-cols-1 gap-6">
    {left && <LeftFile {...left} />}
    {open.lines.length > 0 && (
      <a href="#subir" className="w-fit font-semibold">
        Subir otro archivo
      </a>
    )}
    <OpenLines {...open} waiting={waiting} />
    {lacking.total > 0 && <LackingList {...lacking} />}
    <UploadForm isFirst={statements.length === 0} />
    {decided.length > 0 && <DecidedList rows={decided} now={now} />}
    {statements.length > 0 && <StatementList rows={statements} />}
  </div>
)

/** A file that was uploaded and not imported yet. */
const LeftFile = ({ id, name }: { id: string; name: string }) => (
  <Card title="Un archivo espera que lo importes" className="max-w-3xl">
    <p className="wrap-anywhere">{name}</p>
    <div className="flex flex-wrap items-center gap-3">
      <Link to={statementPath(id)} className="font-semibold">
        Continuar
      </Link>
      <Form intent="discard-statement" target={{ statementId: id }}>
        <Submit variant="ghost">Descartar</Submit>
      </Form>
    </div>
  </Card>
)

/** Uploads a file of the bank's movements. */
const UploadForm = ({ isFirst }: { isFirst: boolean }) => (
  <Card title="Sube los movimientos de tu banco" id="subir" className="max-w-3xl scroll-mt-4">
    <p className="text-mute">
      {isFirst
        ? 'Descárgalos de la banca en línea como CSV. Los comparamos con los pagos que esperas, y tú confirmas.'
        : 'Puedes subir días que ya subiste: cada movimiento cuenta una vez.'}
    </p>
    <Form intent="upload-statement" encType="multipart/form-data">
      <Field
        type="file"
        label="Archivo CSV"
        name="file"
        accept=".csv,.txt,text/csv,text/plain"
        help="Hasta 1&nbsp;MB. En el paso siguiente ves qué columna es cuál."
      />
      <Submit className="justify-self-start max-sm:w-full">Subir archivo</Submit>
    </Form>
  </Card>
)

/** Transfers that were recorded, received on days of the files that were read, and in none of them. */
const LackingList = ({ found, total }: { found: readonly PairedPayment[]; total: number }) => (
  <Card title="Pagos sin movimiento en el banco" id="sin-movimiento" className="scroll-mt-4">
    <p className="text-mute">
      Son transferencias en días ya importados, sin un movimiento que les corresponda. Revisa el día y la
      cantidad; si no llegaron, la gerencia los corrige en su cuenta.
    </p>
    <ul className="grid">
      {found.map(({ amount, concept, customer, customerId, folio, id, paidOn, to, trackingKey }) => (
        <li
          key={id}
          className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-t border-line py-3 first:border-0 first:pt-0 last:pb-0"
        >
          <span className="grid min-w-0 gap-0.5">
            <span className="wrap-anywhere">
              <Link to={to} prefetch="intent" className="font-semibold">
                {folio}
              </Link>
              {', '}
              <CustomerLink id={customerId}>{customer}</CustomerLink>
            </span>
            <span className="text-sm text-mute wrap-anywhere">
              {[conceptLabels[concept], paidOn && shortDate(paidOn), trackingKey && `clave ${trackingKey}`]
                .filter(Boolean)
                .join(', ')}
            </span>
          </span>
          <span className="font-semibold tabular-nums">{money(amount)}</span>
        </li>
      ))}
    </ul>
    {found.length < total && (
      <p className="flex flex-wrap gap-x-3">
        {`y ${thousands(total - found.length)} más.`}
        <Link to={`${bankPath()}?${allLacking}#sin-movimiento`}>{`Ver los ${thousands(total)}`}</Link>
      </p>
    )}
  </Card>
)

type DecidedListProps = { rows: readonly DecidedMovement[]; now: Date }

/** The last decisions about movements; one that was put aside can come back. */
const DecidedList = ({ rows, now }: DecidedListProps) => (
  <Details summary="Últimos conciliados" open={useFormResult('reopen-line') !== undefined}>
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
              <Form intent="reopen-line" target={{ lineId: row.id }}>
                <Submit variant="ghost">Regresar a la lista</Submit>
              </Form>
            )}
          </div>
        </li>
      ))}
    </ul>
  </Details>
)

/** The files that were read, with the result of each; one without decisions can be removed. */
const StatementList = ({ rows }: { rows: readonly ReadStatement[] }) => (
  <Details summary="Archivos importados" open={useFormResult('take-back-statement') !== undefined}>
    <ul className="grid gap-3">
      {rows.map((row) => (
        <li key={row.id} className="grid gap-0.5">
          <span className="wrap-anywhere">{row.name}</span>
          <span className="text-sm text-mute">{wordsOf(row)}</span>
          {row.canGoBack && <TakeBack row={row} />}
        </li>
      ))}
    </ul>
  </Details>
)

const wordsOf = ({ account, debits, linesKnown, linesNew, readAt, unread }: ReadStatement) =>
  [
    dateTime(readAt),
    account && `cuenta ${account}`,
    counted(linesNew, 'nuevo', 'nuevos'),
    `${thousands(linesKnown)} que ya tenías`,
    counted(debits, 'cargo', 'cargos'),
    unread.length > 0 && `sin importar los renglones ${unread.join(', ')}`,
  ]
    .filter(Boolean)
    .join(', ')

function TakeBack({ row: { id, linesNew, name } }: { row: ReadStatement }) {
  const target = { statementId: id }
  return (
    <details open={useFormResult('take-back-statement', target) !== undefined}>
      <summary className="flex min-h-11 items-center text-[0.9375rem] font-medium text-mute lg:min-h-9">
        ¿Se importó mal?
      </summary>
      <Form intent="take-back-statement" target={target} className="max-w-prose gap-3 pb-2">
        <p className="text-mute">
          {linesNew === 1 ? 'Quitamos el movimiento' : `Quitamos los ${thousands(linesNew)} movimientos`}
          {' que trajo este archivo. Después lo subes otra vez y eliges sus columnas.'}
        </p>
        <Submit variant="destructive" className="justify-self-start max-sm:w-full">
          Deshacer la importación
          <span className="sr-only">{` de ${name}`}</span>
        </Submit>
      </Form>
    </details>
  )
}

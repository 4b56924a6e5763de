import { randomUUID } from 'node:crypto'
import { useState } from 'react'
import { wrongPapers } from '../../documents/documents.ts'
import { DocumentField } from '../../documents/screens/document-field.tsx'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { redirectWithToast } from '../../kit/flash.ts'
import { Checkbox, Field } from '../../kit/form/field.tsx'
import { Form, type FormResult, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { localDay, money, monthAndYear, shortDate } from '../../shared/format.ts'
import { Card, cardClass } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { FileLinks } from '../../ui/figure-table.tsx'
import { Link } from '../../ui/link.tsx'
import { adjustCommission, payCommissions } from '../commission-commands.ts'
import {
  type CommissionMonth,
  commissionMonths,
  commissionsOfMonth,
  payableCommissions,
  payoutsOf,
  reconciledLines,
} from '../commission-queries.ts'
import {
  commissionStateFacts,
  commissionStates,
  lineName,
  monthPattern,
  settlesCommissions,
} from '../rules/commissions.ts'
import { commissionInput } from '../rules/schema.ts'
import type { Route } from './+types/agency-commissions.ts'
import { agencyPath } from './agency-paths.ts'
import { openEditor, openTab, type TabRequest } from './agency-server.ts'
import { amount, CommissionLines, ReconciledLines } from './commission-lines.tsx'

export const shouldRevalidate = revalidateOnConflict

/** The sums of each month, and for users who settle them the rows of one month (?mes=2026-11). */
export const loader = (args: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const opened = await openTab(args, 'comisiones')
    const { actor, agency, db } = opened
    const { months, sums } = await commissionMonths(db, actor, agency.id)
    const wanted = opened.url.searchParams.get('mes') ?? ''
    const month = monthPattern.test(wanted) ? wanted : (months[0]?.month ?? localDay(opened.now).slice(0, 7))
    const desk = settlesCommissions(actor) ? await loadDesk(opened, month) : null
    const reconciled = desk ? [] : await reconciledLines(db, actor, agency.id, month)
    return { agencyId: agency.id, months, month, sums, desk, reconciled, now: opened.now }
  })

async function loadDesk({ actor, agency, db, now }: TabRequest, month: string) {
  const [rows, payable, payouts] = await Promise.all([
    commissionsOfMonth(db, actor, agency.id, month),
    payableCommissions(db, actor, agency.id),
    payoutsOf(db, actor, agency.id),
  ])
  // Each form has a key of its own: sent twice, it is one change.
  const lines = rows.map((row) => ({ ...row, requestKey: randomUUID() }))
  return { month, lines, payable, payouts, today: localDay(now), requestKey: randomUUID() }
}

/** What a user who settles an agency's commissions sees of them. */
type CommissionDesk = Awaited<ReturnType<typeof loadDesk>>

export const action = forms(async (args: Route.ActionArgs) => {
  const { actor, db, id, now } = await openEditor(args)
  const schemas = commissionInput(now)
  const here = agencyPath(id, 'comisiones')
  return {
    'commissions.adjust': form(schemas['commissions.adjust'], async (input) => {
      await adjustCommission(db, actor, id, input, now)
      return redirectWithToast(
        `${here}?mes=${input.month}`,
        'Comisión ajustada',
        'Ya cuenta en el saldo de su mes.',
      )
    }),
    'commissions.pay': form(
      schemas['commissions.pay'],
      async (input, { file }) => {
        await payCommissions(db, requestOf(args.context).drive, actor, id, { ...input, file: file('file') })
        return redirectWithToast(here, 'Pago registrado', 'Sus aliados reciben un correo con la suma.')
      },
      wrongPapers({ file: 'commission_proof' }),
    ),
  }
})

/** What an agency earned: its sums, and for users who settle them each row, what can be paid, and what was paid. */
export default function AgencyCommissions({ loaderData }: Route.ComponentProps) {
  const { agencyId, desk, month, months, now, reconciled, sums } = loaderData
  return (
    <div className="grid grid-cols-1 gap-4">
      <OrphanedFormError />
      <Sums sums={sums} />
      {desk && <PayForm {...desk} />}
      {desk && months.length > 0 && (
        <Card title={`Comisiones de ${monthAndYear(`${desk.month}-01`).toLowerCase()}`}>
          <CommissionLines {...desk} />
        </Card>
      )}
      {!desk && months.length > 0 && (
        <Card title={`Movimientos de ${monthAndYear(`${month}-01`).toLowerCase()}`}>
          <ReconciledLines lines={reconciled} now={now} />
        </Card>
      )}
      <Card title="Estados de cuenta">
        <CommissionMonths agencyId={agencyId} months={months} isDesk={desk !== null} />
      </Card>
      {desk && desk.payouts.length > 0 && <CommissionPayouts payouts={desk.payouts} />}
      <p className="text-sm text-mute">
        Una comisión se gana al terminar una instalación, sobre el precio sin IVA que su cliente aceptó. Se
        aprueba cuando su cliente terminó de pagar y pasaron 15 días. Las cantidades son antes de IVA.
      </p>
    </div>
  )
}

const Sums = ({ sums }: { sums: Pick<CommissionMonth, (typeof commissionStates)[number]> }) => (
  <dl className="grid gap-3 sm:grid-cols-3 sm:gap-4">
    {commissionStates.map((state) => (
      <div
        key={state}
        className={classNames(cardClass, 'flex items-baseline justify-between gap-3 p-4 sm:grid')}
      >
        <dt className="text-sm text-mute">{commissionStateFacts[state].plural}</dt>
        <dd className="text-xl font-semibold tabular-nums sm:text-2xl">{money(sums[state])}</dd>
      </div>
    ))}
  </dl>
)

type Payout = CommissionDesk['payouts'][number]

const columns: readonly Column<Payout>[] = [
  { header: 'Día', main: true, cell: ({ paidOn }) => shortDate(paidOn) },
  { header: 'Referencia', cell: ({ reference }) => <span className="wrap-anywhere">{reference}</span> },
  { header: 'Registró', cell: ({ paidBy }) => paidBy },
  { header: 'Partidas', numeric: true, cell: ({ rows }) => rows },
  { header: 'Importe', numeric: true, cell: (payout) => amount(payout.amount) },
  {
    header: 'Comprobante',
    cell: ({ proof }) => <DocumentLink document={proof}>Descargar</DocumentLink>,
  },
]

/** What was transferred to an agency, the last first. */
const CommissionPayouts = ({ payouts }: { payouts: readonly Payout[] }) => (
  <Card title="Transferencias">
    <DataTable caption="Transferencias" columns={columns} rows={payouts} rowKey={({ id }) => id} />
  </Card>
)

type CommissionMonthsProps = {
  agencyId: string
  months: readonly CommissionMonth[]
  /** Whether the user settles them, and so reads the account of each month. */
  isDesk: boolean
}
type Columns = Column<CommissionMonth>[]

const figure = (header: string, of: (month: CommissionMonth) => number): Columns[number] => ({
  header,
  numeric: true,
  cell: (month) => amount(of(month)),
})
const account: Columns = [
  figure('Ganado', ({ earned }) => earned),
  figure('Ajustes', ({ adjusted }) => adjusted),
  figure('Transferido', ({ transferred }) => transferred),
  figure('Saldo al cierre', ({ closing }) => closing),
]
const states: Columns = [
  figure('Pendiente', ({ pending }) => pending),
  figure('Aprobado', ({ approved }) => approved),
  figure('Pagado', ({ paid }) => paid),
  figure('Total del mes', ({ total }) => total),
]
const link = 'inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-2'

const statementFile = (agencyId: string, month: string) =>
  `/admin/agency/${agencyId}/comisiones.csv?mes=${month}`

/** The statement of each month, the last first, with its files. */
function CommissionMonths({ agencyId, isDesk, months }: CommissionMonthsProps) {
  if (months.length === 0)
    return (
      <p className="text-[0.9375rem] text-mute">Todavía no se termina ninguna instalación con comisión.</p>
    )
  const words = (month: string) => monthAndYear(`${month}-01`)
  const columns: Columns = [
    {
      header: 'Mes',
      main: true,
      cell: ({ month }) => (
        <Link to={`${agencyPath(agencyId, 'comisiones')}?mes=${month}`} className={link}>
          {words(month)}
        </Link>
      ),
    },
    ...(isDesk ? account : states),
    {
      header: 'Descargar',
      cell: ({ month }) => (
        <span className="flex flex-wrap gap-2 [&>a]:min-w-11 max-lg:[&>a]:justify-end">
          <a
            href={`/papers/commissions/${agencyId}~${month}.pdf`}
            className={link}
            target="_blank"
            rel="noreferrer"
          >
            PDF<span className="sr-only"> de {words(month)}</span>
          </a>
          <FileLinks to={statementFile(agencyId, month)} of={words(month)} className={link} />
        </span>
      ),
    },
  ]
  return (
    <DataTable caption="Comisiones por mes" columns={columns} rows={months} rowKey={({ month }) => month} />
  )
}

type PayFormProps = Pick<CommissionDesk, 'payable' | 'requestKey' | 'today'>

/** What can be paid now, and the transfer that paid it. */
function PayForm({ payable, requestKey, today }: PayFormProps) {
  const result = useFormResult('commissions.pay')
  if (payable.length === 0)
    return (
      <Card title="Por pagar">
        <p className="text-[0.9375rem] text-mute">No hay comisiones aprobadas por pagar.</p>
      </Card>
    )
  return (
    <Card title="Por pagar">
      <Form intent="commissions.pay" encType="multipart/form-data" key={requestKey}>
        <input type="hidden" name="requestKey" value={result?.values.requestKey || requestKey} />
        <Lines payable={payable} result={result} />
        <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-4">
          <Field
            label="Cantidad que transferiste"
            name="amount"
            help="Antes de IVA: la suma de lo elegido."
            inputMode="decimal"
            autoComplete="off"
            maxLength={16}
          />
          <Field type="date" label="¿Qué día?" name="paidOn" max={today} defaultValue={today} />
          <Field label="Referencia o clave de rastreo" name="reference" autoComplete="off" maxLength={60} />
          <DocumentField label="Comprobante" purpose="commission_proof" />
        </div>
        <Submit className="justify-self-start">Registrar pago</Submit>
      </Form>
    </Card>
  )
}

type LinesProps = Pick<PayFormProps, 'payable'> & { result: FormResult | undefined }

function Lines({ payable, result }: LinesProps) {
  const [total, setTotal] = useState(() => firstTotal({ payable, result }))
  return (
    <fieldset
      className="grid grid-cols-1"
      onChange={({ currentTarget }) => setTotal(totalTicked(currentTarget))}
    >
      <legend className="mb-2 text-sm text-mute">Elige lo que pagó la transferencia</legend>
      {payable.map(({ customer, due, earnedAt, folio, id, kind, reason }) => (
        <Checkbox
          key={id}
          name={lineName(id)}
          value={due}
          defaultChecked
          className="border-t border-line py-1 [&_label>span]:flex-1"
          label={
            <span className="flex items-baseline justify-between gap-4">
              <span className="grid min-w-0 gap-0.5 py-1">
                <span className="wrap-anywhere">
                  <span className="whitespace-nowrap">{folio}</span>, {customer}
                </span>
                <span className="text-sm text-mute wrap-anywhere">
                  {kind === 'adjustment' ? `Ajuste de lo ya pagado: ${reason}` : shortDate(earnedAt)}
                </span>
              </span>
              <span className="shrink-0 tabular-nums">{money(due)}</span>
            </span>
          }
        />
      ))}
      <p className="flex justify-between gap-4 border-t border-line pt-3 font-semibold">
        <span>Suma de lo elegido</span>
        <output className="tabular-nums">{money(total)}</output>
      </p>
    </fieldset>
  )
}

/** All of it, or what was ticked when the form came back. */
const firstTotal = ({ payable, result }: LinesProps) =>
  payable
    .filter(({ id }) => !result || Boolean(result.values[lineName(id)]))
    .reduce((sum, { due }) => sum + due, 0)

const totalTicked = (within: HTMLFieldSetElement) =>
  [...within.querySelectorAll<HTMLInputElement>('input:checked')].reduce(
    (sum, { value }) => sum + Number(value),
    0,
  )

import { Field, TextArea } from '../../kit/form/field.tsx'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { money, percent, shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import type { ListedCommission, ReconciledLine } from '../commission-queries.ts'
import {
  agencyState,
  approvableFrom,
  type CommissionState,
  commissionFolio,
  commissionStateFacts,
} from '../rules/commissions.ts'

type Line = ListedCommission & { requestKey: string }
type CommissionLinesProps = { lines: readonly Line[]; month: string; today: string }

/** The rows of a month, each commission with the form to take something off it. */
export function CommissionLines({ lines, month, today }: CommissionLinesProps) {
  if (lines.length === 0)
    return <p className="text-[0.9375rem] text-mute">En este mes no hubo comisiones ni ajustes.</p>
  const columns: Column<Line>[] = [
    {
      header: 'Instalación',
      main: true,
      cell: ({ appointmentId, customer, folio, id }) => (
        <span className="grid gap-0.5">
          <Link
            to={`/admin/appointments-done/${appointmentId}`}
            className="font-semibold whitespace-nowrap text-brand underline underline-offset-2"
          >
            {folio}
          </Link>
          <span className="text-sm font-normal text-mute wrap-anywhere">{customer}</span>
          <span className="text-sm font-normal text-mute">{commissionFolio(id)}</span>
        </span>
      ),
    },
    {
      header: 'Día',
      cell: ({ earnedAt }) => <span className="whitespace-nowrap">{shortDate(earnedAt)}</span>,
    },
    { header: 'Por', cell: (line) => <span className="wrap-anywhere">{whatFor(line)}</span> },
    { header: 'Importe', numeric: true, cell: (line) => <Amount line={line} /> },
    { header: 'Estado', cell: (line) => <State line={line} today={today} /> },
    {
      header: 'Ajuste',
      cell: (line) =>
        line.kind === 'commission' && line.standing > 0 ? <Adjust line={line} month={month} /> : null,
    },
  ]
  return <DataTable caption="Comisiones del mes" columns={columns} rows={lines} rowKey={({ id }) => id} />
}

const whatFor = (line: Line) => (line.kind === 'adjustment' ? `Ajuste: ${line.reason}` : agreedWords(line))

/** An adjustment may be in a later month: the amount left is shown here too. */
const Amount = ({ line }: { line: Line }) => (
  <span className="grid gap-1">
    {amount(line.amount)}
    {line.kind === 'commission' && line.standing < line.amount && (
      <span className="text-sm text-mute">Quedan {amount(line.standing)}</span>
    )}
  </span>
)

const State = ({ line, today }: { line: Line; today: string }) => (
  <span className="grid justify-items-end gap-1 lg:justify-items-start">
    <CommissionBadge state={line.state} />
    <span className="text-sm text-mute">{stateNote(line, today)}</span>
  </span>
)

function stateNote({ earnedAt, kind, paidOn, reference, stands, state }: Line, today: string): string {
  if (state === 'paid') return `${paidOn ? shortDate(paidOn) : ''}, ${reference}`
  if (state === 'approved' || kind === 'adjustment') return ''
  if (!stands) return 'Su cotización se canceló: ajústala.'
  const from = approvableFrom(earnedAt)
  return from > today ? `Se puede aprobar el ${shortDate(from)}.` : 'Falta que su cliente termine de pagar.'
}

/** Takes something off a commission, in a row of its own that says why. */
function Adjust({ line, month }: { line: Line; month: string }) {
  const which = { intent: 'commissions.adjust', target: { commissionId: line.id } }
  const result = useFormResult(which.intent, which.target)
  return (
    <Dialog
      key={`${line.id} ${line.standing}`}
      trigger={
        <span className="whitespace-nowrap">
          Ajustar<span className="sr-only"> {line.folio}</span>
        </span>
      }
      variant="ghost"
      title={`Ajustar la comisión de ${line.folio}`}
      description={`Quedan ${money(line.standing)}. Lo que quites se guarda como un ajuste, con su motivo; si ya se pagó, se descuenta del siguiente pago.`}
      defaultOpen={result !== undefined}
    >
      {/* The month by its name: a page opened without one shows the last, which another may be by then. */}
      <Form {...which} action={`?mes=${month}`}>
        <input type="hidden" name="standing" value={line.standing} />
        <input type="hidden" name="month" value={month} />
        <input type="hidden" name="requestKey" value={result?.values.requestKey || line.requestKey} />
        <Field
          label="Cantidad que se quita"
          name="amount"
          help={`${money(line.standing)} como máximo.`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
        />
        <TextArea label="Motivo" name="reason" maxLength={300} />
        <Submit>Ajustar comisión</Submit>
      </Form>
    </Dialog>
  )
}

/** The state of a commission. */
function CommissionBadge({ state }: { state: CommissionState }) {
  const { label, tone } = commissionStateFacts[state]
  return <Badge tone={tone}>{label}</Badge>
}

/** An amount in a column of others. */
export const amount = (centavos: number) => (
  <span className="whitespace-nowrap tabular-nums">{money(centavos)}</span>
)

const reconciledColumns = (now: Date): readonly Column<ReconciledLine>[] => [
  {
    header: 'Comisión',
    main: true,
    cell: ({ adjusts, folio }) => (
      <span className="grid gap-0.5">
        <span className="font-mono whitespace-nowrap">{folio}</span>
        {adjusts && <span className="text-sm font-normal text-mute">Ajuste de {adjusts}</span>}
      </span>
    ),
  },
  { header: 'Cliente', cell: ({ customer }) => customer },
  { header: 'Día', cell: ({ earnedAt }) => <span className="whitespace-nowrap">{shortDate(earnedAt)}</span> },
  { header: 'Aliado', cell: ({ ally }) => ally },
  { header: 'Importe', numeric: true, cell: (line) => line.amount !== null && amount(line.amount) },
  {
    header: 'Estado',
    cell: (line) => {
      const { note, tone, words } = agencyState(line, now)
      return (
        <span className="grid justify-items-end gap-1 lg:justify-items-start">
          <Badge tone={tone}>{words}</Badge>
          <span className="text-sm text-mute wrap-anywhere">
            {line.paidOn ? `${shortDate(line.paidOn)}, ${line.reference}` : note}
          </span>
        </span>
      )
    },
  },
]

/** The rows of a month as an agency reconciles them with its own books; amounts where they are fixed sums. */
export function ReconciledLines({ lines, now }: { lines: readonly ReconciledLine[]; now: Date }) {
  if (lines.length === 0)
    return <p className="text-[0.9375rem] text-mute">En este mes no hubo comisiones ni ajustes.</p>
  return (
    <DataTable
      caption="Movimientos del mes"
      columns={reconciledColumns(now).filter(
        ({ header }) => header !== 'Importe' || lines[0]?.amount !== null,
      )}
      rows={lines}
      rowKey={({ folio }) => folio}
    />
  )
}

type Agreed = Pick<ListedCommission, 'basis' | 'termsKind' | 'termsValue'>

/** "10 % de $12,345.67", "$1,500.00 por instalación" */
export const agreedWords = ({ basis, termsKind, termsValue }: Agreed) =>
  termsKind === 'percent'
    ? `${percent(termsValue)} de ${money(basis)}`
    : `${money(termsValue)} por instalación`

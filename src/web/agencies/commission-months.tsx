import { Link } from 'react-router'
import { monthAndYear } from '../../domain/shared/format.ts'
import type { CommissionMonth } from '../../server/agencies/sums.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { sectionPath } from './agency-part.ts'
import { amount } from './commission-words.tsx'

type CommissionMonthsProps = {
  agencyId: string
  months: readonly CommissionMonth[]
  /** Whether each month's rows can be looked at too. */
  isDesk: boolean
}
type Columns = Column<CommissionMonth>[]

const figure = (header: string, of: (month: CommissionMonth) => number): Columns[number] => ({
  ...{ header, numeric: true, cell: (month) => amount(of(month)) },
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

/** The statement of each month, the last first, with its files. */
export function CommissionMonths({ agencyId, isDesk, months }: CommissionMonthsProps) {
  if (months.length === 0)
    return (
      <p className="text-[0.9375rem] text-mute">Todavía no se termina ninguna instalación con comisión.</p>
    )
  const words = (month: string) => monthAndYear(`${month}-01`)
  const columns: Columns = [
    {
      ...{ header: 'Mes', main: true },
      cell: ({ month }) =>
        isDesk ? (
          <Link to={`${sectionPath(agencyId, 'comisiones')}&mes=${month}`} className={link}>
            {words(month)}
          </Link>
        ) : (
          <span className="whitespace-nowrap">{words(month)}</span>
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
          <a href={`/admin/agency/${agencyId}/comisiones.csv?mes=${month}`} className={link} download>
            CSV<span className="sr-only"> de {words(month)}</span>
          </a>
        </span>
      ),
    },
  ]
  return (
    <DataTable caption="Comisiones por mes" columns={columns} rows={months} rowKey={({ month }) => month} />
  )
}

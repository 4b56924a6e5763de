import {
  type BankColumns,
  type BankField,
  type BankTable,
  bankFields,
  neededFields,
  readBankTable,
} from '../../domain/payments/bank-statement.ts'
import { counted, money, shortDate, thousands } from '../../domain/shared/format.ts'
import { Card } from '../ui/card.tsx'
import { FigureTable } from '../ui/figure-table.tsx'
import { Form, type FormResult } from '../ui/form.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Select } from '../ui/select.tsx'
import { Submit } from '../ui/submit.tsx'
import { officePath, partPath } from './office-path.ts'

type Draft = {
  id: string
  name: string
  version: number
  head: number
  columns: BankColumns
  table: BankTable
}
type StatementColumnsProps = { draft: Draft; result: FormResult | undefined }

const shownRows = 6

/** How a file is read by its columns, as we guess them or somebody asks to see them; below, which column is what. */
export function StatementColumns({ draft, result }: StatementColumnsProps) {
  const options = optionsOf(draft)
  return (
    <div className="grid max-w-3xl gap-4">
      <PageTitle>{`Columnas de ${draft.name}`}</PageTitle>
      <Preview draft={draft} />
      <Card title={draft.name}>
        <p className="text-mute">Dinos qué columna es cuál. Lo que no tenga tu archivo, déjalo vacío.</p>
        <Form result={result}>
          <input type="hidden" name="archivo" value={draft.id} />
          <input type="hidden" name="statementId" value={draft.id} />
          <input type="hidden" name="version" value={draft.version} />
          <div className="grid gap-5 sm:grid-cols-2">
            {(Object.keys(bankFields) as BankField[]).map((field) => (
              <Select
                key={field}
                label={bankFields[field]}
                name={field}
                options={options}
                placeholder="No está"
                {...(!isNeeded(field) && { optional: true })}
                defaultValue={draft.columns[field] === undefined ? '' : String(draft.columns[field])}
              />
            ))}
          </div>
          <div className="grid gap-3 sm:flex sm:flex-wrap">
            <Submit name="intent" value="read-statement">
              Leer movimientos
            </Submit>
            {/* Nothing is sent by it: the address of this same page asks for other columns. */}
            <Submit name="parte" value="banco" variant="ghost" formMethod="get" formAction={officePath}>
              Ver cómo queda
            </Submit>
            <Submit name="intent" value="discard-statement" variant="ghost" formAction={partPath('banco')}>
              Descartar archivo
            </Submit>
          </div>
        </Form>
      </Card>
    </div>
  )
}

const isNeeded = (field: BankField) => neededFields.some((needed) => needed === field)

/** A column is known by its heading, or else by what stands in it. */
function optionsOf({ head, table }: Draft) {
  const width = Math.max(...table.map((row) => row.length))
  const examples = (at: number) =>
    table
      .slice(head + 1)
      .map((row) => row[at] ?? '')
      .filter(Boolean)
      .slice(0, 2)
      .join(', ')
  return Array.from({ length: Math.min(width, 40) }, (_, at) => {
    const words = (table[head]?.[at] || examples(at)).slice(0, 50)
    return { value: String(at), label: words ? `${at + 1}: ${words}` : `${at + 1}` }
  })
}

function Preview({ draft: { columns, head, table } }: { draft: Draft }) {
  if (neededFields.some((field) => columns[field] === undefined))
    return <p className="text-mute">Elige la columna de la fecha y la de la cantidad, y mira cómo queda.</p>
  const { debits, lines, unread } = readBankTable(table, head, columns)
  return (
    <Card title="Así lo leemos con estas columnas">
      <p className="text-mute">
        {`${counted(lines.length, 'abono', 'abonos')}. Dejamos fuera ${counted(debits, 'cargo', 'cargos')}`}
        {unread.length > 0 && ` y ${thousands(unread.length)} de otra cosa`}.
      </p>
      {lines.length > 0 && (
        <div className="overflow-x-auto">
          <FigureTable
            caption="Primeros abonos del archivo"
            columns={previewColumns}
            rows={lines.slice(0, shownRows)}
            rowKey={({ row }) => row}
          />
        </div>
      )}
    </Card>
  )
}

type Line = ReturnType<typeof readBankTable>['lines'][number]
const previewColumns = [
  {
    header: 'Fecha',
    cell: ({ bookedOn }: Line) => <span className="sm:whitespace-nowrap">{shortDate(bookedOn)}</span>,
  },
  {
    header: 'Movimiento',
    cell: ({ description, trackingKey }: Line) => (
      <span className="wrap-anywhere">{[description, trackingKey].filter(Boolean).join(', ')}</span>
    ),
  },
  { header: 'Cantidad', numeric: true, cell: ({ amount }: Line) => money(amount) },
]

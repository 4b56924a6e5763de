import { thousands } from '../../domain/shared/format.ts'
import type { ListedCode } from '../../server/agencies/codes-queries.ts'
import { Card } from '../ui/card.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { ShownAgency } from './agency-part.ts'
import { CodeFilterBar } from './code-filters.tsx'
import { CodeMoves } from './code-moves.tsx'
import { codeColumns, Owner } from './code-table.tsx'
import { CodesToApprove } from './codes-to-approve.tsx'
import type { loadCodes } from './load-codes.ts'

type AgencyCodesProps = Awaited<ReturnType<typeof loadCodes>> & { agency: ShownAgency }

/** The codes of an agency: those that wait for a yes first, then all of them. */
export function AgencyCodes({ agency, canDecide, rows, waiting, ...list }: AgencyCodesProps) {
  const { filters, first, next, total } = list
  const columns: Column<ListedCode>[] = [
    ...codeColumns,
    { header: 'Clientes', numeric: true, cell: ({ clients }) => thousands(clients) },
    { header: 'De', cell: ({ owner }) => <Owner name={owner} /> },
    ...(canDecide ? [movesColumn] : []),
  ]
  const narrowed = Boolean(filters.text || filters.state)
  return (
    <div className="grid gap-4">
      {waiting.length > 0 && <CodesToApprove codes={waiting} />}
      {(total > 0 || narrowed) && (
        <CodeFilterBar filters={filters} path={`/admin/agency/${agency.id}`} kept={{ seccion: 'codigos' }} />
      )}
      {rows.length === 0 ? (
        <EmptyState>
          {narrowed
            ? 'Ningún código coincide con lo que buscas.'
            : 'Sus aliados todavía no crean ningún código.'}
        </EmptyState>
      ) : (
        <Card title={total === 1 ? '1 código' : `${thousands(total)} códigos`}>
          <DataTable caption="Códigos" columns={columns} rows={rows} rowKey={({ id }) => id} />
        </Card>
      )}
      <Pagination previous={first} next={next} />
    </div>
  )
}

const movesColumn: Column<ListedCode> = {
  header: 'Acciones',
  cell: (code) => code.moves.length > 0 && <CodeMoves code={code} />,
}

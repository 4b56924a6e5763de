import { Link } from 'react-router'
import { caseKindLabels, caseTurnLabels, isOverdue } from '../../domain/cfe/case.ts'
import { relative, shortDate } from '../../domain/shared/format.ts'
import { municipalityLabel } from '../../domain/shared/places.ts'
import type { ListedCase } from '../../server/cfe/list.ts'
import { Badge } from '../ui/badge.tsx'
import { type Column, DataTable, rowLinkClass } from '../ui/data-table.tsx'
import { CaseBadge } from './case-badge.tsx'
import { casesPath } from './list-query.ts'

/** `today` is a local date. Who handles a case is said to those who see everybody's. */
type CaseTableProps = { rows: readonly ListedCase[]; today: string; now: Date; showsGester: boolean }

/** Cases with CFE: a table on a desk and cards on a phone. */
export function CaseTable({ rows, today, now, showsGester }: CaseTableProps) {
  const columns: Column<ListedCase>[] = [
    {
      header: 'Trámite',
      main: true,
      cell: ({ folio, id, kind }) => (
        <Link to={`${casesPath}/${id}`} prefetch="intent" discover="none" className={rowLinkClass}>
          <span className="whitespace-nowrap">{folio}</span>
          <span className="block text-sm font-normal text-mute">{caseKindLabels[kind]}</span>
        </Link>
      ),
    },
    {
      header: 'Cliente',
      cell: ({ customer, municipality }) => (
        <>
          {customer}
          {municipality && (
            <span className="block text-sm wrap-normal text-mute">{municipalityLabel(municipality)}</span>
          )}
        </>
      ),
    },
    { header: 'Estado', cell: ({ state }) => <CaseBadge state={state} /> },
    {
      header: 'Turno de',
      cell: ({ waitingOn, waitingSince }) =>
        waitingOn === 'none' ? null : (
          <>
            {caseTurnLabels[waitingOn]}
            <span className="block text-sm text-mute">{relative(waitingSince, now)}</span>
          </>
        ),
    },
    { header: 'Fecha límite', cell: ({ dueOn }) => <Due dueOn={dueOn} today={today} /> },
    ...(showsGester ? [gester] : []),
  ]
  return <DataTable caption="Trámites con CFE" columns={columns} rows={rows} rowKey={({ id }) => id} />
}

const gester: Column<ListedCase> = {
  header: 'Gestor',
  cell: ({ gester: name, gesterActive }) =>
    name ? (
      <>
        {name}
        {gesterActive === false && <span className="block text-sm text-bad">Ya no está</span>}
      </>
    ) : (
      'Sin gestor'
    ),
}

/** The last day of a turn; past it a word says so. */
function Due({ dueOn, today }: { dueOn: string | null; today: string }) {
  if (dueOn === null) return null
  return (
    <span className="grid justify-items-start gap-1 max-lg:justify-items-end">
      <span className="whitespace-nowrap">{shortDate(dueOn)}</span>
      {isOverdue(dueOn, today) && <Badge tone="bad">Atrasado</Badge>}
    </span>
  )
}

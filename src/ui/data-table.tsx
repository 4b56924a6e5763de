import { ChevronDown } from 'lucide-react'
import {
  type ChangeEvent,
  type ComponentType,
  type CSSProperties,
  Fragment,
  type Key,
  lazy,
  type ReactNode,
  Suspense,
} from 'react'
import { useHydrated } from './hydrated.ts'
import { Link } from './link.tsx'
import './dense-table.css'

export type Column<Row> = {
  header: string
  cell: (row: Row) => ReactNode
  /** What names the row: the head of its card on a phone. */
  main?: boolean
  numeric?: boolean
  /** On a desk it stays on one line. */
  whole?: boolean
  /** Its least width on a desk, in rem, in a dense list. */
  width?: number
  /** In a dense list: shown on a desk only from this width of the list. Cards show it always. */
  from?: 'medium' | 'wide'
  /** How the list is ordered by it, if it is, and the link that orders it so or turns that round. */
  sorting?: Sorting | undefined
}

export type Sorting = { now: 'ascending' | 'descending' | undefined; to: string }

/** For the link that names a row: the whole row, or card, is its target. */
export const rowLinkClass = 'row-link'

/** What stands below the first words of a cell. */
export const SecondLine = ({ children }: { children: ReactNode }) => (
  <span className="second-line">{children}</span>
)

/** The box of a row, which belongs to a form elsewhere on the screen. */
type RowBox = { name: string; value: string; label: string; marked: boolean }
/** The boxes of a list's rows, by the form they belong to. */
export type Boxes<Row> = { form: string; of: (row: Row) => RowBox }

type DataTableProps<Row> = {
  /** What the table lists; read aloud, not shown. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => Key
  /** A list of low rows, whose columns are as wide as what is in them, and give way by `from`; nothing is cut. */
  dense?: boolean
  /** Rows can be ticked. */
  boxes?: Boxes<Row> | undefined
  /** Rows of the same group stand together, under its name. */
  groupOf?: ((row: Row) => string) | undefined
}

// A table laid out as blocks loses its meaning for screen readers unless each part says what it is.
const part = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
} as const

/** The headers, for data-table.css to show beside the values of a card: once, and not in each cell. */
const labelsOf = <Row,>(columns: readonly Column<Row>[]) =>
  Object.fromEntries(columns.map(({ header }, n) => [`--label-${n + 1}`, JSON.stringify(header)]))

// After the screen: the list works without it.
const RowKeys = lazy(
  (): Promise<{ default: ComponentType }> => import('./row-keys.tsx').catch(() => ({ default: () => null })),
)

/** Rows of facts: a table with a sticky head from lg, a card per row below. One markup; looks in data-table.css. */
export function DataTable<Row>({ dense, ...table }: DataTableProps<Row>) {
  const isHydrated = useHydrated()
  if (!dense) return <Rows {...table} />
  return (
    <div className="dense-table">
      {table.boxes && <PageBox form={table.boxes.form} isAbove isEarly={!isHydrated} />}
      <Rows {...table} />
      {isHydrated && (
        <Suspense>
          <RowKeys />
        </Suspense>
      )}
    </div>
  )
}

const Sorter = ({ children, to }: Pick<Sorting, 'to'> & { children: string }) => (
  <Link to={to} preventScrollReset className="sorter">
    <span>{children}</span>
    <ChevronDown aria-hidden className="size-4" />
  </Link>
)

const widthOf = (width: number | undefined) =>
  width === undefined ? undefined : ({ '--width': `${width}rem` } as CSSProperties)

const boxClass = 'row-box size-5 accent-brand'

type PageBoxProps = {
  form: string
  isAbove?: boolean
  /** Nothing hears it yet: its place is kept. */
  isEarly?: boolean
}

/** Ticks the whole page; a form's own boxes hear of it as of a press on each. It stands in the head, and above cards, which have none. */
function PageBox({ form, isAbove = false, isEarly = false }: PageBoxProps) {
  const tick = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const rows = currentTarget.closest('.dense-table')
    for (const box of rows?.querySelectorAll<HTMLInputElement>('.row-box') ?? [])
      box.checked = currentTarget.checked
  }
  return (
    <label className={isAbove ? 'page-pick' : 'row-pick'} data-early={isEarly || undefined}>
      <input type="checkbox" form={form} autoComplete="off" onChange={tick} className={boxClass} />
      <span className={isAbove ? undefined : 'sr-only'}>Marcar toda la página</span>
    </label>
  )
}

const Box = ({ form, label, marked, name, value }: RowBox & { form: string }) => (
  <label className="row-pick">
    <input
      type="checkbox"
      form={form}
      name={name}
      value={value}
      defaultChecked={marked}
      autoComplete="off"
      className={boxClass}
    />
    <span className="sr-only">Marcar {label}</span>
  </label>
)

function Rows<Row>({ boxes, caption, columns, groupOf, rows, rowKey }: Omit<DataTableProps<Row>, 'dense'>) {
  const isHydrated = useHydrated()
  return (
    <table {...part.table} className="data-table" style={labelsOf(columns)}>
      <caption className="sr-only">{caption}</caption>
      <thead {...part.group}>
        <tr {...part.row}>
          {columns.map(({ from, header, main, numeric, sorting, width }) => (
            <th
              key={header}
              {...part.head}
              scope="col"
              aria-sort={sorting?.now}
              data-numeric={numeric}
              data-from={from}
              style={widthOf(width)}
            >
              {boxes && main && <PageBox form={boxes.form} isEarly={!isHydrated} />}
              {sorting ? <Sorter to={sorting.to}>{header}</Sorter> : header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...part.group}>
        {rows.map((row, n) => (
          <Fragment key={rowKey(row)}>
            {groupOf && (n === 0 || groupOf(row) !== groupOf(rows[n - 1]!)) && (
              <GroupRow columns={columns.length}>{groupOf(row)}</GroupRow>
            )}
            <Row row={row} boxes={boxes} columns={columns} />
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}

const GroupRow = ({ children, columns }: { children: string; columns: number }) => (
  <tr {...part.row} className="row-group">
    <td {...part.cell} colSpan={columns}>
      {children}
    </td>
  </tr>
)

type RowProps<One> = Pick<DataTableProps<One>, 'boxes' | 'columns'> & { row: One }

const Row = <One,>({ boxes, columns, row }: RowProps<One>) => (
  <tr {...part.row}>
    {columns.map(({ header, main, numeric, from, cell, whole = numeric }) => (
      <td
        key={header}
        {...part.cell}
        data-main={main}
        data-numeric={numeric}
        data-whole={whole}
        data-from={from}
      >
        {boxes && main && <Box form={boxes.form} {...boxes.of(row)} />}
        <div>{cell(row)}</div>
      </td>
    ))}
  </tr>
)

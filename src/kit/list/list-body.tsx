import { Bookmark, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { type Count, countWords, rangeWords } from '../../shared/count.ts'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type Column, DataTable, type Sorting } from '../../ui/data-table.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileLinks } from '../../ui/figure-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader, seenLists } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { mostViews, type SavedList, viewPath, viewQuery, viewsPath } from '../../users/rules/saved-view.ts'
import type { SavedView } from '../../users/saved-views.ts'
import { Field } from '../form/field.tsx'
import { Form, Submit } from '../form/form.tsx'
import { ChosenBar, rowBoxes, rowId, type WithId } from './chosen-rows.tsx'
import { FilterBar, type OfferedChoices } from './filter-bar.tsx'
import { type Filter, type Filters, listQuery, type Pages, wholePath } from './filters.ts'

/** A list, declared once: its loader, its file and its screen read it. */
export type List = {
  path: string
  title: string
  /** Its file, without its ending, where it is elsewhere. */
  file?: string
  /** Of the table, read aloud, where it is not the title. */
  caption?: string
  /** One row and several. */
  words: readonly [one: string, many: string]
  filters: Readonly<Record<string, Filter>>
  /** What a page is found by, where it is no id. */
  place?: Filter
  saved?: SavedList
  icon?: LucideIcon
  /** Said where there are no rows; where filters leave none, and what takes them off. */
  empty: string
  narrowed?: string
  all?: string
  /** What is ticked: "marcada", "marcadas". */
  ticked?: readonly [one: string, many: string]
}

/** What the loader of a list answers. */
export type Listed<Row> = {
  rows: readonly Row[]
  total: number
  isMore?: boolean
  filters: Filters
  pages: Pages
  /** The viewer's own views of it. */
  saved?: readonly SavedView[] | null
  /** Whether the viewer may have it as a file. */
  exports?: boolean
}

export type ListColumn<Row, Loaded> = Omit<Column<Row>, 'cell' | 'sorting'> & {
  cell: (row: Row, loaded: Loaded) => ReactNode
  /** Which way it orders the list first; by the list's own order, or another. */
  sorts?: readonly [first: 'ascending' | 'descending', order?: string]
  /** Whether it is shown. */
  when?: (loaded: Loaded) => boolean
}

type Ticks<Row> = {
  label: (row: Row) => string
  intents?: readonly string[]
  /** The boxes that stay marked. */
  marked?: ReadonlySet<string>
  /** The buttons. */
  children?: ReactNode
}

type Filed = Pick<List, 'file' | 'path'>
const fileOf = ({ file, path }: Filed) => `${file ?? path}.csv`

const countOf = ({ isMore = false, total }: Listed<unknown>): Count => ({ total, isMore })

const countIn = ({ words }: List, listed: Listed<unknown>) =>
  `${countWords(countOf(listed))} ${words[listed.total === 1 ? 0 : 1]}`

type Shown = { list: List; loaded: Listed<unknown> }

/** The head of a list with a screen of its own: how many rows, and its file, or other `actions`. */
export const ListHeader = ({ list, loaded, note = '', ...header }: ListHeaderProps) => (
  <PageHeader
    title={list.title}
    subtitle={countIn(list, loaded) + note}
    actions={loaded.exports && <ExportLinks list={list} loaded={loaded} />}
    {...header}
  />
)
type ListHeaderProps = Shown & { note?: string; actions?: ReactNode }

/** The same line above a list that is part of a screen. */
export const ListCount = ({ list, loaded }: Shown) => (
  <div className="flex flex-wrap items-center gap-3">
    <p className="mr-auto text-mute">{countIn(list, loaded)}</p>
    {loaded.exports && loaded.rows.length > 0 && <ExportLinks list={list} loaded={loaded} />}
  </div>
)

type ExportLinksProps = { list: Filed; loaded: { filters: Filters } }

/** The links that download a list as a file. */
export const ExportLinks = ({ list, loaded: { filters } }: ExportLinksProps) => (
  <FileLinks to={fileOf(list) + listQuery(filters)} className={buttonClass('ghost')} />
)

type ListBodyProps<Row, Loaded> = {
  list: List
  loaded: Loaded & Listed<Row>
  /** The filters of one tap. */
  chips?: ReactNode
  /** Whether it can be searched. */
  hasBar?: boolean
  offers?: OfferedChoices
  placeholder?: string | undefined
  /** Other fields of the form. */
  fields?: ReactNode
  /** Shown between the form and the rows. */
  children?: ReactNode
  columns: readonly ListColumn<Row, Loaded>[]
  dense?: boolean
  groupOf?: ((row: Row) => string) | undefined
  /** Rows can be ticked. */
  ticks?: Ticks<Row> | null
  /** Where an empty list leads. */
  otherwise?: ReactNode
}

/** A list: views, filters, rows, pages, and what is done with ticked rows. */
export function ListBody<Row extends WithId, Loaded>({
  hasBar = true,
  list,
  ...props
}: ListBodyProps<Row, Loaded>) {
  const { chips, children, fields, loaded, offers, placeholder, ticks } = props
  const { exports, filters, pages, rows, saved } = loaded
  return (
    <>
      {list.saved && saved && (
        <SavedViews list={list.saved} saved={saved} filters={filters} whole={wholePath(list, filters)} />
      )}
      {chips}
      {hasBar && (
        <FilterBar list={list} filters={filters} offers={offers} placeholder={placeholder}>
          {fields}
        </FilterBar>
      )}
      {children}
      {rows.length > 0 ? <ListTable list={list} {...props} /> : <Nothing list={list} {...props} />}
      <ListPages pages={pages} rows={rows} count={countOf(loaded)} />
      {ticks && list.ticked && rows.length > 0 && (
        <ChosenBar {...ticks} words={list.ticked} {...(exports && { file: fileOf(list) })} />
      )}
    </>
  )
}

type ListTableProps<Row, Loaded> = Pick<
  ListBodyProps<Row, Loaded>,
  'list' | 'loaded' | 'columns' | 'dense' | 'groupOf' | 'ticks'
>

export const ListTable = <Row extends WithId, Loaded>(props: ListTableProps<Row, Loaded>) => {
  const { columns, dense = true, groupOf, list, loaded, ticks } = props
  const shown = columns.filter(({ when }) => !when || when(loaded))
  return (
    <DataTable
      dense={dense}
      groupOf={groupOf}
      caption={list.caption ?? list.title}
      columns={shown.map(({ cell, sorts, when, ...column }) => ({
        ...column,
        cell: (row: Row) => cell(row, loaded),
        sorting: sorts && sortedBy(loaded.filters, ...sorts),
      }))}
      rows={loaded.rows}
      rowKey={rowId}
      boxes={ticks ? rowBoxes(ticks.label, ticks.marked) : undefined}
    />
  )
}

/**
 * The link of a column that a list can be ordered by: the list's usual order where it has no name. It orders the list by it,
 * as `first` says, or turns that round.
 */
export function sortedBy(
  { order, ...filters }: Filters,
  first: 'ascending' | 'descending',
  column?: string,
): Sorting {
  const one = column
  const turned = column ? `${column}-reverse` : 'reverse'
  const to = (order: string | undefined) => listQuery({ ...filters, ...(order && { order }) }) || '?'
  if (order === one) return { now: first, to: to(turned) }
  const other = first === 'ascending' ? 'descending' : 'ascending'
  return { now: order === turned ? other : undefined, to: to(one) }
}

type NothingProps = Shown & { otherwise?: ReactNode }

function Nothing({ list, loaded, otherwise }: NothingProps) {
  const { all, empty, icon, narrowed = empty } = list
  const isNarrowed = isNarrowedBy(loaded.filters, list)
  const whole = all && (
    <LinkButton variant="ghost" to={wholePath(list, loaded.filters)}>
      {all}
    </LinkButton>
  )
  if (loaded.pages.previous !== null)
    return <EmptyState>Aquí ya no hay nada: vuelve a la página anterior.</EmptyState>
  return (
    <EmptyState {...(icon && { icon })} action={isNarrowed ? whole : otherwise}>
      {isNarrowed ? narrowed : empty}
    </EmptyState>
  )
}

/** Whether filters leave rows out, which an order and a tab do not. */
export const isNarrowedBy = (filters: Filters, list?: Pick<List, 'filters'>) =>
  Object.keys(filters).some((name) => name !== 'order' && !list?.filters[name]?.isTab)

type ListPagesProps = {
  pages: Pages
  rows: readonly unknown[]
  count: Count
  /** The rows of a full page, where they are not as many as usual. */
  size?: number
}

/** Which rows of how many these are, and the pages before and after; a single page says so too. */
export function ListPages({ count, pages, rows, size }: ListPagesProps) {
  const { pathname, search } = useLocation()
  useEffect(() => void seenLists.set(pathname, pathname + search), [pathname, search])
  return (
    <Pagination previous={pages.previous} next={pages.next}>
      {pages.page > 0 && rows.length > 0 && rangeWords(pages.page, rows.length, count, size)}
    </Pagination>
  )
}

type SavedViewsProps = {
  list: SavedList
  /** The viewer's own. */
  saved: readonly SavedView[]
  /** Those of the address. */
  filters: Filters
  /** The address without any, of which no view is worth keeping. */
  whole?: string
}

const chip =
  'flex min-h-11 max-w-full items-center gap-1.5 rounded-full border px-4 text-[0.9375rem] font-medium no-underline'

/** The viewer's own views of a list, each one tap, and the form that keeps its filters as another. Nothing while there is neither. */
export function SavedViews({ list, saved, filters, whole = '' }: SavedViewsProps) {
  const query = viewQuery(filters)
  const isKept = saved.some((view) => view.query === query) || whole.endsWith(`?${query}`)
  const offersSaving = query !== '' && !isKept
  if (saved.length === 0 && !offersSaving) return null
  return (
    <nav aria-label="Tus vistas" className="flex flex-wrap items-center gap-2">
      {saved.map((view) => (
        <Link
          key={view.id}
          to={viewPath(view)}
          prefetch="intent"
          aria-current={view.query === query ? 'true' : undefined}
          className={classNames(
            chip,
            view.query === query
              ? 'border-brand bg-brand-soft text-brand'
              : 'border-line bg-card text-ink hover:bg-hover',
          )}
        >
          <Bookmark aria-hidden className="size-4 shrink-0" />
          <span className="truncate">{view.name}</span>
        </Link>
      ))}
      {offersSaving && saved.length < mostViews && (
        <Dialog
          key={query}
          trigger={
            <>
              <Bookmark aria-hidden className="size-5" />
              Guardar vista
            </>
          }
          variant="ghost"
          title="Guardar vista"
          description="Guarda estos filtros y su orden con un nombre. Solo tú la ves. Con un nombre que ya tienes, la reemplazas."
        >
          <Form action={viewsPath} intent="save-view" target={{ list, query }}>
            <Field label="Nombre" name="name" maxLength={40} autoComplete="off" enterKeyHint="done" />
            <Submit>Guardar</Submit>
          </Form>
        </Dialog>
      )}
      {saved.length > 0 && (
        <Link
          to={`${viewsPath}?lista=${list}`}
          className="flex min-h-11 items-center px-2 text-[0.9375rem] underline"
        >
          Editar vistas
        </Link>
      )}
    </nav>
  )
}

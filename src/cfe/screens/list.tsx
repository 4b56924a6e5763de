import { Landmark, Printer } from 'lucide-react'
import { exportsLists, isGester } from '../../access/rules/actor.ts'
import { db, listsDb } from '../../app/context.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { ChosenBar, ChosenFile, rowBoxes } from '../../kit/list/chosen-rows.tsx'
import { DayFields, FilterChips } from '../../kit/list/filter-chips.tsx'
import {
  choicesOf,
  ExportLinks,
  FilterBar,
  ListPages,
  listQuery,
  namedChoices,
  orderField,
  pageLinks,
  readFilters,
  sortedBy,
} from '../../kit/list/lists.tsx'
import { SavedViews } from '../../kit/list/saved-views.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, requireActor } from '../../kit/require-actor.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { countWords } from '../../shared/count.ts'
import { dayRanges, withDays } from '../../shared/day-range.ts'
import { counted, dayIn, lowerFirst, relative } from '../../shared/format.ts'
import { homeOrZone } from '../../shared/places.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Details, EmptyState } from '../../ui/card.tsx'
import { type Column, DataTable, rowLinkClass, SecondLine, type Sorting } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { viewsOf } from '../../users/saved-views.ts'
import { handOverCases } from '../commands.ts'
import { gestersWithLoad, openCase } from '../open.ts'
import { type ListedCase, listCases, strandedCases } from '../queries.ts'
import {
  type CaseFilters,
  caseKindLabels,
  caseStateFacts,
  caseTurnWords,
  isOverdue,
  managesCases,
} from '../rules/case.ts'
import { casesInput } from '../rules/schema.ts'
import type { Route } from './+types/list.ts'
import { CaseBadge } from './case-letters.tsx'
import { caseFilters, casesPath } from './list-query.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'gesties')
    const [database, actor, now] = [await context.get(listsDb)(), requireActor(context), new Date()]
    const { after, filters, place } = readFilters(caseFilters, url)
    const isManager = managesCases(actor)
    const [{ next, ...page }, gesters, stranded, saved] = await Promise.all([
      listCases(database, actor, withDays(filters, now), after),
      isManager ? gestersWithLoad(database) : null,
      isManager ? strandedCases(database) : [],
      viewsOf(database, actor, 'cases'),
    ])
    return {
      ...page,
      filters,
      saved,
      gesters,
      stranded,
      exports: exportsLists(actor),
      // A gester sees their own only.
      isMine: isGester(actor),
      now,
      today: localDate(toMinutes(now)),
      pages: pageLinks(filters, place, next),
    }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  assertModule(context, 'gesties')
  const [database, actor, now] = [context.get(db), requireActor(context), new Date()]
  return {
    'cases.open': form(casesInput['cases.open'], async (wish) => {
      const { folio, id } = await openCase(database, actor, wish, now)
      const told = await customerWords(
        database,
        { of: 'cfe_cases', id },
        'Le avisamos al cliente por correo.',
      )
      return redirectWithToast(`${casesPath}/${id}`, `Abriste el trámite ${folio}`, told)
    }),
    'cases.hand-over': form(casesInput['cases.hand-over'], async (wish) => {
      const count = await handOverCases(database, actor, wish)
      return count === 1
        ? redirectWithToast(casesPath, 'Pasaste 1 trámite', 'Quien elegiste ya lo ve en su lista.')
        : redirectWithToast(casesPath, `Pasaste ${count} trámites`, 'Quien elegiste ya los ve en su lista.')
    }),
  }
})

export default function Cases({ loaderData }: Route.ComponentProps) {
  const { rows, total, isMore, isMine, exports, filters, saved, gesters, stranded, now, today, pages } =
    loaderData
  const isNarrowed = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Gestorías"
        subtitle={`${countWords({ total, isMore })} ${total === 1 ? 'trámite' : 'trámites'} ante CFE, lo más urgente primero`}
        actions={exports && <ExportLinks to={`${casesPath}.csv${listQuery(filters)}`} />}
      />
      <OrphanedFormError />
      <SavedViews list="cases" saved={saved} filters={filters} />
      <FilterChips label="Fecha límite" path={casesPath} filters={filters} chips={dayChips} />
      <CaseFilterBar filters={filters} gesters={gesters} isMine={isMine} />
      {rows.length === 0 ? (
        <EmptyState
          icon={Landmark}
          action={
            isNarrowed && (
              <LinkButton variant="ghost" to={casesPath}>
                Ver todos
              </LinkButton>
            )
          }
        >
          {isNarrowed
            ? 'Ningún trámite coincide con lo que buscas.'
            : 'No hay trámites abiertos. Se abren solos cuando se acepta una cotización que los necesita.'}
        </EmptyState>
      ) : (
        <CaseTable
          rows={rows}
          today={today}
          now={now}
          showsGester={gesters !== null}
          isMine={isMine}
          ticks
          sorting={{ due: sortedBy(filters, 'ascending'), wait: sortedBy(filters, 'ascending', 'wait') }}
        />
      )}
      <ListPages pages={pages} rows={rows} count={{ total, isMore }} />
      {rows.length > 0 && (
        <ChosenBar words={['marcado', 'marcados']} {...(exports && { file: `${casesPath}.csv` })}>
          <ChosenFile to="/papers/tramites/ventanilla.pdf">
            <Printer aria-hidden className="size-5" />
            Imprimir para CFE
          </ChosenFile>
        </ChosenBar>
      )}
      <OpenCase />
      {gesters && <HandOver stranded={stranded} gesters={gesters} />}
    </>
  )
}

const dayChips = (['hoy', 'manana', 'semana'] as const).map((range) => ({
  label: `Vencen ${lowerFirst(dayRanges[range].label)}`,
  sets: { range },
}))

type Named = readonly { id: string; name: string }[]

/** `gesters` is null for those who see their own only. */
type CaseFilterBarProps = { filters: CaseFilters; gesters: Named | null; isMine: boolean }

const turns = ['customer', 'gester', 'cfe'] as const
const nobody = { value: 'nadie', label: 'Sin gestor' }

/** What narrows the list of cases. */
const CaseFilterBar = ({ filters, gesters, isMine }: CaseFilterBarProps) => (
  <FilterBar
    path={casesPath}
    filters={filters}
    kept={filters.range && { range: filters.range }}
    placeholder="Folio, cliente o número de servicio"
    fields={[
      orderField('Por vencer primero', {
        reverse: 'Los de más plazo primero',
        wait: 'Los que más esperan primero',
        'wait-reverse': 'Los que menos esperan primero',
      }),
      {
        name: 'turn',
        label: 'Le toca a',
        choices: turns.map((value) => ({ value, label: caseTurnWords(value, isMine) })),
      },
      { name: 'state', label: 'Estado', choices: choicesOf(caseStateFacts) },
      { name: 'kind', label: 'Trámite', choices: choicesOf(caseKindLabels) },
      ...(gesters ? [{ name: 'gester', label: 'Gestor', choices: [nobody, ...namedChoices(gesters)] }] : []),
    ]}
  >
    <DayFields filters={filters} />
    <Checkbox
      label="Ver los terminados"
      name="over"
      value="1"
      defaultChecked={filters.over !== undefined}
      className="col-span-full"
    />
  </FilterBar>
)

/** Opens a case by hand, where no rule opened one. */
const OpenCase = () => (
  <FormDetails
    summary="Abrir un trámite"
    intent="cases.open"
    intro={
      <p className="text-[0.9375rem] text-mute">
        Los que pide una cotización aceptada se abren solos. Aquí abres los demás, como un cambio de nombre.
      </p>
    }
  >
    <div className="grid gap-5 sm:grid-cols-2">
      <Field
        label="Folio de la cotización o de la visita"
        name="folio"
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={20}
        help="COT-2026-00012 o VT-2026-00012."
      />
      <Select
        label="¿Qué se pide a CFE?"
        name="kind"
        placeholder="Elige"
        options={Object.entries(caseKindLabels).map(([value, label]) => ({ value, label }))}
      />
    </div>
    <Submit className="justify-self-start max-sm:w-full">Abrir trámite</Submit>
  </FormDetails>
)

type Handler = { id: string; name: string; open: number }

type HandOverProps = {
  /** Gesters who have cases and handle none any more. */
  stranded: readonly Handler[]
  gesters: readonly Handler[]
}

const cases = ({ open }: Handler) => counted(open, 'trámite', 'trámites')
const choices = (handlers: readonly Handler[]) =>
  handlers.map((one) => ({ value: one.id, label: `${one.name} (${cases(one)})` }))

/** The manager hands all cases of one gester to another; it is open while a gester who left has any. */
function HandOver({ stranded, gesters }: HandOverProps) {
  const result = useFormResult('cases.hand-over')
  return (
    <>
      {stranded.map((one) => (
        <Alert key={one.id} tone="bad" title={`${one.name} ya no lleva trámites y tiene ${cases(one)}`}>
          {gesters.length === 0
            ? 'Invita a un gestor en Usuarios para pasárselos.'
            : 'Pásalos a otra persona aquí abajo.'}
        </Alert>
      ))}
      <Details
        summary="Pasar los trámites de un gestor a otro"
        open={result !== undefined || stranded.length > 0}
      >
        <Form intent="cases.hand-over">
          <div className="grid gap-5 sm:grid-cols-2">
            <Select
              label="De"
              name="from"
              placeholder="Elige"
              options={choices([...stranded, ...gesters.filter(({ open }) => open > 0)])}
              defaultValue={stranded[0]?.id}
            />
            <Select label="A" name="to" placeholder="Elige" options={choices(gesters)} />
          </div>
          <Submit variant="ghost" className="justify-self-start max-sm:w-full">
            Pasar trámites
          </Submit>
        </Form>
      </Details>
    </>
  )
}

/** `today` is a local date. The gester of a case is shown to users who see everyone's. */
type CaseTableProps = {
  rows: readonly ListedCase[]
  today: string
  now: Date
  showsGester: boolean
  /** Whether the reader handles them. */
  isMine: boolean
  /** Whether rows can be ticked. */
  ticks: boolean
  sorting: { due: Sorting; wait: Sorting }
}

/** Cases with CFE: a table on a desk and cards on a phone. */
function CaseTable({ rows, today, now, showsGester, isMine, sorting, ticks }: CaseTableProps) {
  const columns: Column<ListedCase>[] = [
    {
      header: 'Trámite',
      main: true,
      width: 10.25,
      cell: ({ folio, id, kind }) => (
        <>
          <Link to={`${casesPath}/${id}`} prefetch="intent" discover="none" className={rowLinkClass}>
            {folio}
          </Link>
          <SecondLine>{caseKindLabels[kind]}</SecondLine>
        </>
      ),
    },
    {
      header: 'Cliente',
      cell: ({ customer, customerId, home, municipality }) => (
        <span title={homeOrZone(home, municipality)}>
          <CustomerLink id={customerId}>{customer}</CustomerLink>
          <SecondLine>{homeOrZone(home, municipality)}</SecondLine>
        </span>
      ),
    },
    { header: 'Estado', width: 12.75, cell: ({ state }) => <CaseBadge state={state} /> },
    {
      header: 'Le toca a',
      sorting: sorting.wait,
      width: 7.5,
      cell: ({ waitingOn, waitingSince }) =>
        waitingOn === 'none' ? null : (
          <>
            {caseTurnWords(waitingOn, isMine)}
            <SecondLine>{relative(waitingSince, now)}</SecondLine>
          </>
        ),
    },
    {
      header: 'Fecha límite',
      sorting: sorting.due,
      width: 12.5,
      from: 'medium',
      cell: ({ dueOn }) => <Due dueOn={dueOn} today={today} />,
    },
    ...(showsGester ? [gester] : []),
  ]
  return (
    <DataTable
      dense="two-lines"
      caption="Trámites ante CFE"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      boxes={ticks ? rowBoxes<ListedCase>(({ folio }) => folio) : undefined}
    />
  )
}

const gester: Column<ListedCase> = {
  header: 'Gestor',
  from: 'wide',
  cell: ({ gester: name, gesterActive }) =>
    name ? (
      <>
        {name}
        {gesterActive === false && <SecondLine>Ya no está</SecondLine>}
      </>
    ) : (
      'Sin gestor'
    ),
}

/** The last day of a turn; an overdue one says so. */
function Due({ dueOn, today }: { dueOn: string | null; today: string }) {
  if (dueOn === null) return null
  return (
    <span className="inline-flex items-center gap-2 max-lg:flex-col max-lg:items-end">
      {dayIn(dueOn, new Date(`${today}T18:00:00Z`))}
      {isOverdue(dueOn, today) && <Badge tone="bad">Atrasado</Badge>}
    </span>
  )
}

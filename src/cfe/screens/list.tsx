import { Printer } from 'lucide-react'
import { exportsLists, isGester } from '../../access/rules/actor.ts'
import { customerWords } from '../../kit/customer-words.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Checkbox, Field, Select } from '../../kit/form/field.tsx'
import { Form, FormDetails, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { ChosenFile } from '../../kit/list/chosen-rows.tsx'
import { FilterChips } from '../../kit/list/filter-bar.tsx'
import { choicesOf, readList } from '../../kit/list/filters.ts'
import { ListBody, type ListColumn, ListHeader } from '../../kit/list/list-body.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, requestOf, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { CustomerCell } from '../../projects/screens/customer-cell.tsx'
import { localDate, toMinutes } from '../../shared/calendar.ts'
import { shortFolio } from '../../shared/columns.ts'
import { dayRanges } from '../../shared/day-range.ts'
import { counted, dayIn, lowerFirst, relative } from '../../shared/format.ts'
import { homeOrZone } from '../../shared/places.ts'
import { Alert } from '../../ui/alert.tsx'
import { Details } from '../../ui/card.tsx'
import { rowLinkClass, SecondLine } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import { viewsOf } from '../../users/saved-views.ts'
import { handOverCases } from '../commands.ts'
import { gestersWithLoad, openCase } from '../open.ts'
import { type ListedCase, listCases, strandedCases } from '../queries.ts'
import { caseKindLabels, casesPath, caseTurnWords, isOverdue, managesCases } from '../rules/case.ts'
import { casesInput } from '../rules/schema.ts'
import type { Route } from './+types/list.ts'
import { CaseBadge } from './case-letters.tsx'
import { caseList } from './case-list.ts'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'gesties')
    const db = await requestOf(context).lists()
    const { actor, now } = signedIn(context)
    const { after, asked, page } = readList(caseList, url, now)
    const isManager = managesCases(actor)
    const [cases, gesters, stranded, saved] = await Promise.all([
      listCases(db, actor, asked, after),
      isManager ? gestersWithLoad(db) : null,
      isManager ? strandedCases(db) : [],
      viewsOf(db, actor, 'cases'),
    ])
    return {
      ...page(asked.order ? cases : { ...cases, rows: cases.rows.toSorted((a, b) => turnOf(a) - turnOf(b)) }),
      saved,
      gesters,
      stranded,
      exports: exportsLists(actor),
      // A gester sees their own only.
      isMine: isGester(actor),
      now,
      today: localDate(toMinutes(now)),
    }
  })

/** Who can do something stands first. */
const turns = ['gester', 'customer', 'cfe', 'none'] as const
const turnOf = ({ waitingOn }: ListedCase) => turns.indexOf(waitingOn)

export const action = forms(({ context }: Route.ActionArgs) => {
  assertModule(context, 'gesties')
  const { db, actor, now } = signedIn(context)
  return {
    'cases.open': form(casesInput['cases.open'], async (input) => {
      const { folio, id } = await openCase(db, actor, input, now)
      const told = await customerWords(db, { of: 'cfe_cases', id }, 'Le avisamos al cliente por correo.')
      return redirectWithToast(`${casesPath}/${id}`, `Abriste el trámite ${folio}`, told)
    }),
    'cases.hand-over': form(casesInput['cases.hand-over'], async (input) => {
      const count = await handOverCases(db, actor, input)
      return count === 1
        ? redirectWithToast(casesPath, 'Pasaste 1 trámite', 'Quien elegiste ya lo ve en su lista.')
        : redirectWithToast(casesPath, `Pasaste ${count} trámites`, 'Quien elegiste ya los ve en su lista.')
    }),
  }
})

export default function Cases({ loaderData }: Route.ComponentProps) {
  const { filters, gesters, isMine, stranded } = loaderData
  return (
    <>
      <ListHeader list={caseList} loaded={loaderData} note=" ante CFE, lo más urgente primero" />
      <OrphanedFormError />
      <ListBody
        list={caseList}
        loaded={loaderData}
        chips={<FilterChips label="Fecha límite" path={casesPath} filters={filters} chips={dayChips} />}
        offers={{
          turn: turns.slice(0, 3).map((id) => ({ id, name: caseTurnWords(id, isMine) })),
          gester: gesters && [{ id: 'nadie', name: 'Sin gestor' }, ...gesters],
        }}
        fields={
          <Checkbox
            label="Ver los terminados"
            name="over"
            value="1"
            defaultChecked={filters.over !== undefined}
            className="col-span-full"
          />
        }
        columns={columns}
        groupOf={filters.order ? undefined : ({ waitingOn }) => caseTurnWords(waitingOn, isMine)}
        ticks={{ label: ({ folio }) => folio, children: printing }}
      />
      <OpenCase />
      {gesters && <HandOver stranded={stranded} gesters={gesters} />}
    </>
  )
}

const dayChips = (['hoy', 'manana', 'semana'] as const).map((range) => ({
  label: `Vencen ${lowerFirst(dayRanges[range].label)}`,
  sets: { range },
}))

const printing = (
  <ChosenFile to="/papers/tramites/ventanilla.pdf">
    <Printer aria-hidden className="size-5" />
    Imprimir para CFE
  </ChosenFile>
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
        options={choicesOf(caseKindLabels)}
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

const columns: readonly ListColumn<ListedCase, Route.ComponentProps['loaderData']>[] = [
  {
    header: 'Cliente',
    main: true,
    cell: ({ home, municipality, ...row }) => (
      <CustomerCell row={{ ...row, home: homeOrZone(home, municipality) }} />
    ),
  },
  {
    header: 'Trámite',
    whole: true,
    cell: ({ folio, id, kind }, { now }) => (
      <>
        <Link
          to={`${casesPath}/${id}`}
          prefetch="intent"
          discover="none"
          title={folio}
          className={rowLinkClass}
        >
          {shortFolio(folio, now)}
        </Link>
        <SecondLine>{caseKindLabels[kind]}</SecondLine>
      </>
    ),
  },
  { header: 'Estado', whole: true, cell: ({ state }) => <CaseBadge state={state} /> },
  { header: 'Documentos', numeric: true, from: 'medium', cell: ({ papers }) => papers },
  {
    header: 'Espera',
    sorts: ['ascending', 'wait'],
    whole: true,
    from: 'wide',
    cell: ({ waitingOn, waitingSince }, { now }) => waitingOn !== 'none' && relative(waitingSince, now),
  },
  {
    header: 'Fecha límite',
    sorts: ['ascending'],
    numeric: true,
    cell: ({ dueOn }, { today }) => <Due dueOn={dueOn} today={today} />,
  },
  {
    header: 'Gestor',
    from: 'wide',
    when: ({ gesters }) => gesters !== null,
    cell: ({ gester, gesterActive }) =>
      gester ? (
        <>
          {gester}
          {gesterActive === false && <SecondLine>Ya no está</SecondLine>}
        </>
      ) : (
        'Sin gestor'
      ),
  },
]

/** The last day of a turn, or by how many days it is over. */
function Due({ dueOn, today }: { dueOn: string | null; today: string }) {
  if (dueOn === null) return null
  const day = dayIn(dueOn, new Date(`${today}T18:00:00Z`))
  if (!isOverdue(dueOn, today)) return day
  const days = (Date.parse(today) - Date.parse(dueOn)) / 86_400_000
  return (
    <span title={day} className="font-semibold text-bad">
      {counted(days, 'día', 'días')} tarde
    </span>
  )
}

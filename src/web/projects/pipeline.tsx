import { Download, MessageCircle, Phone, PhoneCall } from 'lucide-react'
import { Link } from 'react-router'
import { yearsForFilter } from '../../domain/appointments/appointment.ts'
import { pipelineParts } from '../../domain/projects/pipeline.ts'
import {
  formatPhone,
  money,
  periodWords,
  relative,
  shortDate,
  telLink,
  whatsappLink,
} from '../../domain/shared/format.ts'
import type { OfficeFigures, QuoteToCall } from '../../server/projects/pipeline.ts'
import { assertModule } from '../lib/module.ts'
import { refusalsAsResponses } from '../lib/refusals-as-responses.ts'
import { revalidateOnConflict } from '../lib/revalidate-on-conflict.ts'
import { buttonClass, LinkButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Details } from '../ui/details.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Field } from '../ui/field.tsx'
import { FigureTable } from '../ui/figure-table.tsx'
import { Form, OrphanedFormError, useFormResult } from '../ui/form.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { PeriodLinks } from '../ui/period-links.tsx'
import { Submit } from '../ui/submit.tsx'
import { TabLinks } from '../ui/tab-links.tsx'
import type { Route } from './+types/pipeline.ts'
import { type FigureTold, figureTables } from './figure-columns.ts'
import { callAction, loadPipeline } from './pipeline-loader.ts'
import {
  type FigureFile,
  figureFilePath,
  figureFiles,
  figuresPath,
  pipelinePartPath,
  projectPath,
} from './pipeline-path.ts'
import { ProjectList } from './project-list.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

/** Every customer's project as the office has it: how far each is, whom to call, and what it comes to. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'clients')
    return loadPipeline({ context, url })
  })

export const action = ({ request, context }: Route.ActionArgs) => {
  assertModule(context, 'clients')
  return callAction(request, context)
}

export default function Pipeline({ loaderData }: Route.ComponentProps) {
  const { calls, figures, list, now, part, parts } = loaderData
  const tabs = parts.map((name) => ({ name, label: pipelineParts[name], to: pipelinePartPath(name) }))
  return (
    <>
      <PageHeader title="Clientes" />
      {tabs.length > 1 && <TabLinks label="Partes de clientes" tabs={tabs} current={part} />}
      {list && <ProjectList {...list} now={now} />}
      {calls && <CallList {...calls} now={now} />}
      {figures && <OfficeFiguresPart {...figures} now={now} />}
    </>
  )
}

type Period = { year: string | null; months: readonly string[] }
type OfficeFiguresPartProps = OfficeFigures & Period & { now: Date }

const notes: Record<FigureFile, string> = {
  'dias-por-etapa': 'De los proyectos que terminaron cada etapa en el periodo.',
  'conversion-por-concesionaria':
    'Hasta dónde llegaron, al día de hoy, los proyectos que empezaron en el periodo.',
  'conversion-por-analista':
    'De las cotizaciones que envió por primera vez en el periodo, cuántas se aceptaron.',
  puntualidad: 'Visitas e instalaciones que empezaron dentro de la ventana de llegada que se prometió.',
}

/** What the office's work comes to in a period: each table with its file. */
function OfficeFiguresPart({ year, months, now, ...figures }: OfficeFiguresPartProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Periods year={year} months={months} now={now} />
      <div className="grid grid-cols-1 items-start gap-4">
        {figureTables(figures).map((table) => (
          <FigureCard key={table.file} table={table} year={year} />
        ))}
      </div>
    </div>
  )
}

function FigureCard({ table: { cells, file, headers }, year }: { table: FigureTold; year: string | null }) {
  const columns = headers.map(({ header, numeric = false }, at) => ({
    ...{ header, numeric, cell: (row: string[]) => row[at] },
  }))
  return (
    <Card
      title={figureFiles[file]}
      aside={
        cells.length > 0 && (
          <a className={buttonClass('ghost')} href={figureFilePath(file, year)} download>
            <Download aria-hidden className="size-5" />
            CSV<span className="sr-only">{` de ${figureFiles[file].toLowerCase()}`}</span>
          </a>
        )
      }
    >
      <p className="text-sm text-mute">{notes[file]}</p>
      {cells.length === 0 ? (
        <p className="text-mute">No hay nada que contar en este periodo.</p>
      ) : (
        <section
          aria-label={figureFiles[file]}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways on a phone has to be reached by keyboard
          tabIndex={0}
          className="overflow-x-auto max-sm:[&_table]:min-w-160"
        >
          <FigureTable
            caption={figureFiles[file]}
            columns={columns}
            rows={cells}
            rowKey={(row) => row.join()}
          />
        </section>
      )}
    </Card>
  )
}

/** Which time the figures are of, and the way to others. */
function Periods({ year, months, now }: Period & { now: Date }) {
  const years = yearsForFilter([now.getUTCFullYear()]).map(String)
  const choices = [
    { value: null, label: 'Últimos 12 meses', to: figuresPath(null) },
    ...years.map((value) => ({ value, label: value, to: figuresPath(value) })),
  ]
  return <PeriodLinks words={periodWords(months)} current={year} choices={choices} />
}

type CallListProps = {
  due: readonly QuoteToCall[]
  called: readonly QuoteToCall[]
  now: Date
}

/** Customers who saw their quote and did not answer it: whom to call, and what came of it. */
function CallList({ due, called, now }: CallListProps) {
  const answered = useFormResult()?.values.quoteId
  return (
    <div className="grid grid-cols-1 gap-4">
      <OrphanedFormError />
      {due.length === 0 && (
        <EmptyState
          icon={PhoneCall}
          action={
            <LinkButton variant="ghost" to="/admin/cotizations?state=sent">
              Ver cotizaciones enviadas
            </LinkButton>
          }
        >
          No hay a quién llamar hoy. Aquí aparece quien vio su cotización y no la ha contestado.
        </EmptyState>
      )}
      <ul className="grid items-start gap-4 lg:grid-cols-2">
        {due.map((quote) => (
          <li key={quote.id}>
            <CallCard quote={quote} now={now} />
          </li>
        ))}
      </ul>
      {called.length > 0 && (
        <Details
          summary={`Llamados en los últimos dos días (${called.length})`}
          open={called.some(({ id }) => id === answered)}
        >
          <ul className="grid items-start gap-4 lg:grid-cols-2">
            {called.map((quote) => (
              <li key={quote.id}>
                <CallCard quote={quote} now={now} />
              </li>
            ))}
          </ul>
        </Details>
      )}
    </div>
  )
}

function CallCard({ quote, now }: { quote: QuoteToCall; now: Date }) {
  const { customer, folio, highestTotal, id, last, lowestTotal, phone, projectId, validUntil, viewedAt } =
    quote
  const total =
    lowestTotal === highestTotal ? money(lowestTotal) : `${money(lowestTotal)} a ${money(highestTotal)}`
  return (
    <Card
      title={<Link to={projectPath(projectId)}>{customer}</Link>}
      aside={validUntil && <span className="text-sm text-mute">{`Vence ${relative(validUntil, now)}`}</span>}
    >
      <p className="text-[0.9375rem] wrap-anywhere">
        <Link to={`/admin/cotizations/detail-quote/${id}`}>{folio}</Link>
        {`, ${total}. `}
        {viewedAt && `La vio ${relative(viewedAt, now)}, el ${shortDate(viewedAt)}.`}
      </p>
      {last && (
        <p className="border-l-2 border-line pl-3 text-[0.9375rem] wrap-anywhere">
          {last.result}
          <span className="block text-sm text-mute">{`${last.by}, ${relative(last.at, now)}`}</span>
        </p>
      )}
      {phone ? (
        <Ways phone={phone} folio={folio} customer={customer} />
      ) : (
        <p className="text-mute">No dejó teléfono.</p>
      )}
      <Form target={{ quoteId: id }} action="?parte=llamar">
        <input type="hidden" name="seen" value={last?.id ?? ''} />
        <Field label="¿En qué quedaron?" name="result" maxLength={500} autoComplete="off" />
        <Submit variant="ghost" className="justify-self-start max-sm:w-full">
          Anotar llamada
        </Submit>
      </Form>
    </Card>
  )
}

const Ways = ({ phone, folio, customer }: { phone: string; folio: string; customer: string }) => (
  <p className="flex flex-wrap gap-3 max-sm:*:flex-1">
    <a className={buttonClass('primary')} href={telLink(phone)}>
      <Phone aria-hidden className="size-5" />
      <span className="whitespace-nowrap">{formatPhone(phone)}</span>
    </a>
    <a
      className={buttonClass('ghost')}
      href={whatsappLink(
        phone,
        `Hola, ${customer.split(' ')[0]}. Te escribo por tu cotización ${folio}. ¿Tienes alguna duda?`,
      )}
    >
      <MessageCircle aria-hidden className="size-5" />
      WhatsApp
    </a>
  </p>
)

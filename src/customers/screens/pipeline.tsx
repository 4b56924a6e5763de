import { MessageCircle, Phone, PhoneCall } from 'lucide-react'
import { redirect } from 'react-router'
import { exportsLists } from '../../access/rules/actor.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Field } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit, useFormResult } from '../../kit/form/form.tsx'
import { readList } from '../../kit/list/filters.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, type LoaderContext, requestOf, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { submit } from '../../kit/submit.ts'
import {
  callAgainAt,
  customerPath,
  figuresPath,
  mostDaysToCall,
  partsFor,
  pipelinePartPath,
  pipelineParts,
  readsProjects,
} from '../../projects/rules/pipeline.ts'
import { callInput } from '../../projects/rules/schema.ts'
import { writesQuotes } from '../../quotes/rules/quote.ts'
import { addDays } from '../../shared/calendar.ts'
import {
  formatPhone,
  localDay,
  money,
  relative,
  shortDate,
  telLink,
  whatsappLink,
} from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card, Details, EmptyState } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { agencyNames } from '../../users/queries.ts'
import { viewsOf } from '../../users/saved-views.ts'
import { noteCall, type QuoteToCall, quotesToCall } from '../pipeline.ts'
import { listProjects } from '../queries.ts'
import type { Route } from './+types/pipeline.ts'
import { periodPath, pipelinePartIn } from './figure-columns.ts'
import { ProjectList, projectList } from './project-list.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

/** Every customer's project as the office sees it: how far each is, whom to call, and its figures. */
export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    // The figures were a part of this page.
    if (pipelinePartIn(url, signedIn(context).actor) === 'cifras') throw redirect(figuresAddress(url))
    assertModule(context, 'clients')
    return loadPipeline({ context, url })
  })

export const action = ({ request, context }: Route.ActionArgs) => {
  assertModule(context, 'clients')
  return callAction(request, context)
}

export default function Pipeline({ loaderData }: Route.ComponentProps) {
  const { calls, list, now, part, parts } = loaderData
  const tabs = parts.map((name) => ({ name, label: pipelineParts[name], to: pipelinePartPath(name) }))
  return (
    <>
      <PageHeader title="Clientes" />
      {tabs.length > 1 && <TabLinks label="Partes de clientes" tabs={tabs} current={part} />}
      {list && <ProjectList {...list} now={now} />}
      {calls && <CallList {...calls} now={now} />}
    </>
  )
}

type CallListProps = {
  due: readonly QuoteToCall[]
  called: readonly QuoteToCall[]
  now: Date
}

/** Customers who saw their quote and did not answer it: whom to call, and the results of calls. */
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
        <Details summary={`Ya llamados (${called.length})`} open={called.some(({ id }) => id === answered)}>
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
  const { customer, customerId, folio, highestTotal, id, last, lowestTotal, phone, validUntil, viewedAt } =
    quote
  const total =
    lowestTotal === highestTotal ? money(lowestTotal) : `${money(lowestTotal)} a ${money(highestTotal)}`
  return (
    <Card
      title={<Link to={customerPath(customerId)}>{customer}</Link>}
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
          <span className="block text-sm text-mute">
            {`${last.by}, ${relative(last.at, now)}. ${last.again > now ? `Volver a llamar el ${shortDate(last.again)}.` : ''}`}
          </span>
        </p>
      )}
      {phone ? (
        <Ways phone={phone} folio={folio} customer={customer} />
      ) : (
        <p className="text-mute">No dejó teléfono.</p>
      )}
      <CallForm quoteId={id} seen={last?.id ?? ''} now={now} />
    </Card>
  )
}

/** What came of a call, and the day of the next one; `seen` is the last call that is shown. */
const CallForm = ({ quoteId, seen, now }: { quoteId: string; seen: string; now: Date }) => (
  <Form target={{ quoteId }} action="?parte=llamar">
    <input type="hidden" name="seen" value={seen} />
    <Field label="¿En qué quedaron?" name="result" maxLength={500} autoComplete="off" />
    <Field
      label="Volver a llamar el"
      name="again"
      type="date"
      optional
      min={addDays(localDay(now), 1)}
      max={addDays(localDay(now), mostDaysToCall)}
      help="Sin fecha, vuelve a la lista en dos días."
    />
    <Submit variant="ghost" className="justify-self-start max-sm:w-full">
      Anotar llamada
    </Submit>
  </Form>
)

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

const figuresAddress = (url: URL) => {
  const period = url.searchParams.get('periodo')
  return period === null ? figuresPath : periodPath(encodeURIComponent(period))
}

type Asked = { context: LoaderContext; url: URL }

/** What the address of /admin/clients asks for; the other parts stay null, and are not read. */
async function loadPipeline(asked: Asked) {
  const { actor, now, lists } = signedIn(asked.context)
  const db = await lists()
  const part = pipelinePartIn(asked.url, actor)
  const [list, calls] = await Promise.all([
    part === 'lista' ? loadList(asked, now) : null,
    part === 'llamar' ? quotesToCall(db, actor, now) : null,
  ])
  return { part, parts: partsFor(actor), list, calls, now }
}

async function loadList({ context, url }: Asked, now: Date) {
  const db = await requestOf(context).lists()
  const { actor } = signedIn(context)
  const { asked, page } = readList(projectList, url, now)
  const [projects, agencies, saved] = await Promise.all([
    listProjects(db, actor, asked, now),
    readsProjects(actor) === 'all' ? agencyNames(db, actor) : [],
    viewsOf(db, actor, 'clients'),
  ])
  return {
    ...page(projects),
    saved,
    exports: exportsLists(actor),
    agencies: agencies.map(({ id, name }) => ({ id, name })),
  }
}

/** Notes the result of a call. */
const callAction = (request: Request, context: LoaderContext) =>
  refusalsAsResponses(async () => {
    const { actor, db } = signedIn(context)
    if (!writesQuotes(actor)) refuse('permission-denied')
    const now = new Date()
    return submit(request, callInput(now), async (form) => {
      await noteCall(db, actor, form, now)
      const when = form.again ? `El ${shortDate(callAgainAt(now, form.again))}` : 'En dos días'
      return redirectWithToast(
        pipelinePartPath('llamar'),
        'Llamada anotada',
        `${when}, si no contesta, vuelve a la lista.`,
      )
    })
  })

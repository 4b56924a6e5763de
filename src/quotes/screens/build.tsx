import { isActive } from '../../appointments/rules/appointment.ts'
import { appointmentPath } from '../../appointments/rules/appointment-path.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { answerInWords } from '../../reports/rules/answer-words.ts'
import { calculationOf } from '../../reports/rules/passport.ts'
import { questionOf } from '../../reports/rules/progress.ts'
import type { Answers } from '../../reports/rules/report.ts'
import { refuse } from '../../shared/refusal.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { builderFor, quoteSourceFor } from '../drafts.ts'
import { writesQuotes } from '../rules/quote.ts'
import type { Route } from './+types/build.ts'
import { BuildEditor } from './build-editor.tsx'
import { buildForms } from './build-forms.ts'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now } = signedIn(context)
    const found = await builderFor(db, actor, params.id, now)
    const { answers, ...builder } = found ?? refuse('not-found')
    return { ...builder, report: inWords(answers), wasSaved: builder.building?.saved }
  })

/** What the builder shows of it, in the order of the report's form. */
const shown = [
  'chargerDistance',
  'route',
  'walls',
  'obstacles',
  'conductor',
  'supply',
  'sparePoles',
  'groundOk',
  'vehicle',
  'chargerSupplier',
  'chargerBrand',
  'chargerModel',
  'meterChoice',
  'loadIncrease',
  'needsUvie',
  'needsPermit',
  'hours',
  'materials',
  'feasibilityReason',
  'notes',
]

/** A visit's report in words: its questions and the calculation do not reach the browser. */
function inWords(answers: Answers) {
  const breaker = calculationOf(answers)?.circuit.breaker
  const wordsOf = (name: string) => {
    const question = questionOf('visit', name)
    return question && answerInWords(question, answers[name] ?? null)
  }
  const items = shown.flatMap((name) => {
    const question = questionOf('visit', name)
    return question ? [{ term: question.label, value: wordsOf(name) }] : []
  })
  const head = [wordsOf('chargerDistance'), wordsOf('conductor'), breaker && `${breaker}\u00a0A`]
  return { head: head.filter(Boolean).join(', '), items }
}

export const action = forms(
  async ({ context, params: { id } }: Route.ActionArgs) => {
    const { db, actor } = signedIn(context)
    if (!(await quoteSourceFor(db, actor, id))) refuse('not-found')
    // Checked before the form is read.
    if (!writesQuotes(actor)) refuse('permission-denied')
    return buildForms({ db, actor, appointmentId: id, now: new Date() })
  },
  ({ edit, intent }) => (edit === undefined ? intent : 'edit'),
)

const titles = { installation: 'Cotización', extra_work: 'Trabajo adicional' } as const

export default function BuildQuote({ loaderData, actionData }: Route.ComponentProps) {
  const { appointment, building, customer, kind } = loaderData
  const from = appointmentPath(isActive(appointment.state) ? 'pending' : 'done', appointment)
  const title = `${titles[kind]} de ${customer}`
  const back = { to: '/admin/cotizations', label: 'Cotizaciones' }
  if (!building)
    return (
      <>
        <PageHeader title={title} subtitle={appointment.folio} back={back} />
        <NothingToWrite builder={loaderData} from={from} />
      </>
    )
  return (
    <BuildEditor
      builder={loaderData}
      building={building}
      title={title}
      back={back}
      from={from}
      result={actionData}
    />
  )
}

type NothingProps = { builder: Route.ComponentProps['loaderData']; from: string }

function NothingToWrite({ builder: { mayWrite, why }, from }: NothingProps) {
  if (!mayWrite)
    return (
      <EmptyState action={<LinkButton to="/admin/cotizations">Ver cotizaciones</LinkButton>}>
        Solo los analistas y la gerencia hacen cotizaciones.
      </EmptyState>
    )
  return <EmptyState action={<LinkButton to={from}>Ver la cita</LinkButton>}>{why}</EmptyState>
}

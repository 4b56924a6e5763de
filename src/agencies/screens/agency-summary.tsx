import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { money, periodWords, relative, thousands } from '../../shared/format.ts'
import { Card } from '../../ui/card.tsx'
import { StepBars } from '../../ui/charts.tsx'
import { FigureCard } from '../../ui/figure-table.tsx'
import { PeriodLinks } from '../../ui/tab-links.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { type AgencyEvent, agencyActivity } from '../agency-queries.ts'
import {
  type ConversionRow,
  type ConversionStep,
  conversionSteps,
  sectionsFor,
  shareWords,
} from '../rules/agency.ts'
import { clientStageLabels } from '../rules/clients.ts'
import type { Route } from './+types/agency-summary.ts'
import { agencyPath, figuresFile } from './agency-paths.ts'
import { AgencyAllies, AgencyProfile } from './agency-profile.tsx'
import { loadAllies, loadDetails, loadFigures, openAgency, type TabRequest } from './agency-server.ts'
import { figuresOfAgency, HeadFigures } from './figure-cards.tsx'

export const shouldRevalidate = revalidateOnConflict

/** The tab that the page opens with: the summary, or for those who do not have it what an agency is. */
export const loader = (args: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const opened = await openAgency(args)
    return sectionsFor(opened.actor).includes('resumen')
      ? { summary: await loadSummary({ ...opened, url: args.url }), details: null }
      : { summary: null, details: await loadDetails(opened) }
  })

async function loadSummary(asked: TabRequest) {
  // Clients' stages are brought up to date first, which is among what happened.
  const figures = await loadFigures(asked)
  const [allies, activity] = await Promise.all([
    loadAllies(asked),
    agencyActivity(asked.db, asked.actor, asked.agency.id),
  ])
  return { agencyId: asked.agency.id, allies, figures, activity, kind: asked.actor.kind, now: asked.now }
}

export type AgencySummaryProps = Awaited<ReturnType<typeof loadSummary>>

export default function Summary({ loaderData: { details, summary } }: Route.ComponentProps) {
  return summary ? <AgencySummary {...summary} /> : details && <AgencyProfile {...details} />
}

/** An agency at a glance: its figures, how far its clients come, and what happened last. */
function AgencySummary({ agencyId, figures, allies, activity, kind, now }: AgencySummaryProps) {
  const of = { agencyId, figures, kind }
  const [stages, ...monthly] = figuresOfAgency(of).map((figure) => (
    <FigureCard
      key={figure.file}
      figure={figure}
      csv={figuresFile(agencyId, figure.file, figures.period.year)}
    />
  ))
  return (
    <div className="grid grid-cols-1 gap-4">
      <Periods agencyId={agencyId} {...figures.period} />
      <HeadFigures {...of} />
      <ConversionCard rows={figures.conversion} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        {monthly}
        <div className="grid grid-cols-1 gap-4">
          {stages}
          <AgencyAllies allies={allies} />
        </div>
        <AgencyActivity events={activity} now={now} />
      </div>
    </div>
  )
}

type PeriodsProps = {
  agencyId: string
  year: string | null
  months: readonly string[]
  years: readonly string[]
}

function Periods({ agencyId, year, months, years }: PeriodsProps) {
  const here = agencyPath(agencyId)
  const choices = [
    { value: null, label: 'Últimos 12 meses', to: here },
    ...years.map((value) => ({ value, label: value, to: `${here}?periodo=${value}` })),
  ]
  return <PeriodLinks words={periodWords(months)} current={year} choices={choices} />
}

/** How far the clients of an agency came in a period, step by step. */
const ConversionCard = ({ rows }: { rows: readonly ConversionRow[] }) => (
  <Card title="De registro a instalación">
    <p className="text-sm text-mute">
      Hasta dónde llegaron, al día de hoy, las personas que llegaron en el periodo.
    </p>
    <StepBars
      rows={rows.map(({ step, count, ofAll, ofBefore }) => ({
        key: step,
        label: conversionSteps[step],
        count: thousands(count),
        share: ofAll,
        notes: sharesOf(step, ofAll, ofBefore),
      }))}
    />
  </Card>
)

/** After the second step, where both would say the same. */
function sharesOf(step: ConversionStep, ofAll: number | null, ofBefore: number | null): string[] {
  if (ofAll === null) return ['Nadie en el periodo']
  if (step === 'brought') return ['Todas las personas del periodo']
  const all = `${shareWords(ofAll)} del total`
  return step === 'joined' ? [all] : [all, `${shareWords(ofBefore)} del paso anterior`]
}

type AgencyActivityProps = { events: readonly AgencyEvent[]; now: Date }

/** What happened last to an agency's codes, clients and commissions. */
function AgencyActivity({ events, now }: AgencyActivityProps) {
  const items = events.flatMap((event) => {
    const title = wordsOf(event)
    const note = [relative(event.at, now), event.ally].filter(Boolean).join(', ')
    return title ? [{ key: event.id, title, note }] : []
  })
  return (
    <Card title="Actividad">
      {items.length === 0 ? (
        <p className="text-[0.9375rem] text-mute">
          Aquí verás lo que pase con sus códigos, sus clientes y sus comisiones.
        </p>
      ) : (
        <Timeline items={items} />
      )}
    </Card>
  )
}

type Words = Record<string, (event: AgencyEvent) => string>

const someone = ({ subject }: AgencyEvent) => subject || 'Un cliente'
const stageOf = ({ toState }: AgencyEvent) =>
  clientStageLabels[toState as keyof typeof clientStageLabels] ?? toState ?? ''
const amountOf = ({ amount }: AgencyEvent) => money(amount ?? 0)

const ofCodes: Words = {
  create: ({ subject }) => `Código nuevo: ${subject}`,
  ask: ({ subject }) => `El código ${subject} está por aprobar`,
  approve: ({ subject }) => `La gerencia aprobó el código ${subject}`,
  refuse: ({ subject }) => `La gerencia rechazó el código ${subject}`,
  activate: ({ subject }) => `El código ${subject} quedó activo`,
  pause: ({ subject }) => `El código ${subject} quedó en pausa`,
  resume: ({ subject }) => `El código ${subject} volvió a quedar activo`,
  revoke: ({ subject }) => `El código ${subject} quedó revocado`,
  redeem: ({ subject }) => `Un cliente usó el código ${subject}`,
  exhaust: ({ subject }) => `El código ${subject} se agotó`,
  expire: ({ subject }) => `El código ${subject} venció`,
  giveBack: ({ subject }) => `El código ${subject} recuperó un uso`,
}
const ofClients: Words = {
  register: (event) => `${someone(event)}: registro nuevo`,
  join: (event) => `${someone(event)} ya tiene cuenta`,
  addCode: (event) => `${someone(event)} agregó un código`,
  attribute: (event) => `La gerencia asignó a ${someone(event)}`,
  stage: (event) => `${someone(event)} pasó a ${stageOf(event)}`,
  end: (event) => `${someone(event)} ya no es cliente de la concesionaria`,
  expire: () => 'Venció una invitación',
  withdraw: () => 'Se retiró una invitación',
}
const ofCommissions: Words = {
  earn: (event) => `Comisión de ${amountOf(event)} por la instalación de ${someone(event)}`,
  approve: (event) => `Comisión aprobada: ${amountOf(event)}`,
  adjust: (event) => `Ajuste de ${amountOf(event)}`,
}

const words: Record<AgencyEvent['about'], Words> = {
  code: ofCodes,
  client: ofClients,
  commission: ofCommissions,
  commission_payout: { pay: (event) => `Pago de comisiones: ${amountOf(event)}` },
  agency: { hand_over: () => 'Clientes y códigos pasaron a otra persona' },
}

const wordsOf = (event: AgencyEvent) => words[event.about][event.name]?.(event) ?? null

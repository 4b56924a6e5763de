import { periodWords } from '../../domain/shared/format.ts'
import { PeriodLinks } from '../ui/period-links.tsx'
import { AgencyActivity } from './agency-activity.tsx'
import { AgencyAllies } from './agency-allies.tsx'
import { type ShownAgency, sectionPath } from './agency-part.ts'
import { ConversionCard } from './conversion-card.tsx'
import { EarningsCard, InstallationsCard, StagesCard } from './figure-cards.tsx'
import { HeadFigures } from './head-figures.tsx'
import type { loadSummary } from './load-summary.ts'

type AgencySummaryProps = Awaited<ReturnType<typeof loadSummary>> & { agency: ShownAgency }

/** An agency at a glance: what it comes to, how far those come whom it brings, and what happened last. */
export function AgencySummary({ agency, figures, allies, activity, kind, now }: AgencySummaryProps) {
  const of = { agencyId: agency.id, figures, kind }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Periods agencyId={agency.id} {...figures.period} />
      <HeadFigures {...of} />
      <ConversionCard rows={figures.conversion} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <InstallationsCard {...of} />
        {figures.earnings && <EarningsCard {...of} earnings={figures.earnings} />}
        <div className="grid grid-cols-1 gap-4">
          <StagesCard {...of} />
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
  const here = sectionPath(agencyId, 'resumen')
  const choices = [
    { value: null, label: 'Últimos 12 meses', to: here },
    ...years.map((value) => ({ value, label: value, to: `${here}&periodo=${value}` })),
  ]
  return <PeriodLinks words={periodWords(months)} current={year} choices={choices} />
}

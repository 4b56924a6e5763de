import type { ComponentProps } from 'react'
import { serviceFacts } from '../../domain/appointments/appointment.ts'
import type { Sheet, SheetView } from '../../domain/reports/report.ts'
import type { AppointmentDetail } from '../../server/appointments/detail.ts'
import type { PastEvent } from '../../server/platform/database/queries.ts'
import type { PermitAfterVisit } from '../../server/projects/permit.ts'
import type { QuotesFrom } from '../../server/quotes/of-appointment.ts'
import type { Failure } from '../lib/submit.ts'
import { QuotesFromCard } from '../quotes/quotes-from-card.tsx'
import { SheetCard } from '../reports/sheet-card.tsx'
import { SheetHistory } from '../reports/sheet-history.tsx'
import { SheetReading, SheetReview } from '../reports/sheet-view.tsx'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { AppointmentFacts } from './appointment-facts.tsx'
import { EndingCard } from './ending-card.tsx'
import { PermitCard } from './permit-card.tsx'
import { Proposals } from './proposals.tsx'
import { StateBadge } from './state-badge.tsx'

type DoneScreenProps = {
  shown: {
    appointment: AppointmentDetail
    proposals: readonly Date[]
    facade: Exclude<ComponentProps<typeof EndingCard>['facade'], undefined>
    permit: PermitAfterVisit
    sheet: SheetView | null
    quotes: QuotesFrom
    trail: readonly PastEvent[]
    correcting: string | null
    mayQuote: boolean
  }
  /** The sheet as its technician has it, where it came back. */
  own: { sheet: Sheet; draft: ComponentProps<typeof SheetCard>['draft'] } | null
  result: Failure | undefined
}

const quotePath = (id: string) => `/admin/cotizations/add-quote/${id}`

/** An appointment that is over: how it ended, and what was written on site. */
export function DoneScreen({ shown, own, result }: DoneScreenProps) {
  const { appointment, correcting, facade, permit, proposals, quotes, sheet, trail } = shown
  const { closingNote, ending, folio, state } = appointment
  const about = (
    <>
      {ending && <EndingCard {...{ ending, facade }} note={closingNote} />}
      <QuotesFromCard quotes={quotes} />
      {proposals.length > 0 && <Proposals appointment={appointment} starts={proposals} />}
      <AppointmentFacts appointment={appointment} />
      {permit && <PermitCard document={permit.document} />}
    </>
  )
  return (
    <>
      <PageHeader
        title={folio || serviceFacts[appointment.service].label}
        subtitle={<StateBadge state={state} />}
        back={{ to: '/admin/appointments-done', label: 'Citas realizadas' }}
        actions={shown.mayQuote && <LinkButton to={quotePath(appointment.id)}>Cotizar</LinkButton>}
      />
      <Unheard sheet={sheet} correcting={correcting} result={result} />
      {sheet ? (
        <div className="grid gap-6">
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <div className="grid gap-4">
              {own ? (
                <>
                  <SheetCard {...own} isNext />
                  <SheetHistory kind={sheet.kind} trail={trail} />
                </>
              ) : (
                <SheetReview {...{ sheet, trail, result }} />
              )}
            </div>
            <div className="grid gap-4">{about}</div>
          </div>
          <SheetReading {...{ sheet, correcting, result }} />
        </div>
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-2">{about}</div>
      )}
    </>
  )
}

type UnheardProps = Pick<DoneScreenProps['shown'], 'sheet' | 'correcting'> & Pick<DoneScreenProps, 'result'>

/** Its form is not on the screen any more: somebody else was faster. */
function Unheard({ sheet, correcting, result }: UnheardProps) {
  const intent = result?.values.intent
  const stands = intent === 'correct-answer' ? sheet?.mayCorrect && correcting : sheet?.mayReview
  if (!result?.refusal || stands) return null
  return (
    <Alert tone="bad" title={result.refusal.title} className="mb-4">
      {result.refusal.description}
    </Alert>
  )
}

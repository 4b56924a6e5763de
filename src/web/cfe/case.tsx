import { caseKindLabels } from '../../domain/cfe/case.ts'
import { localDate, toMinutes } from '../../domain/shared/calendar.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { gestersWithLoad } from '../../server/cfe/gesters.ts'
import { caseFor } from '../../server/cfe/queries.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { demandModule } from '../lib/module.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { someone } from '../lib/someone.ts'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/case.ts'
import { caseAction } from './case-action.ts'
import { CaseBadge } from './case-badge.tsx'
import { CaseFacts } from './case-facts.tsx'
import { CaseHistory } from './case-history.tsx'
import { CaseLetters } from './case-letters.tsx'
import { CaseLine } from './case-line.tsx'
import { CaseMoves } from './case-moves.tsx'
import { CasePapers } from './case-papers.tsx'
import { CasePeople } from './case-people.tsx'
import { casesPath } from './list-query.ts'
import { TurnCard } from './turn-card.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

export const loader = ({ context, params }: Route.LoaderArgs) =>
  load(async () => {
    demandModule(context, 'gesties')
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const shown = (await caseFor(database, actor, params.id)) ?? refuse('not-found')
    const gesters = actor.kind === 'manager' ? await gestersWithLoad(database) : null
    return { shown, gesters, now, today: localDate(toMinutes(now)) }
  })

export const action = (args: Route.ActionArgs) => caseAction(args)

export default function Case({ loaderData, actionData }: Route.ComponentProps) {
  const { shown, gesters, now, today } = loaderData
  const { row } = shown
  useStepFocus(`${row.state} ${row.waitingOn}`)
  const heard = (intent: string, key = '') => {
    const { values } = actionData ?? {}
    if (!actionData || !values || values.intent !== intent) return undefined
    return key === '' || values.move === key || values.paper === key ? actionData : undefined
  }
  return (
    <>
      <PageHeader
        title={`${caseKindLabels[row.kind]} ${row.folio}`}
        subtitle={<CaseBadge state={row.state} />}
        back={{ to: casesPath, label: 'Gestorías' }}
      />
      <CaseLine state={row.state} heldFrom={row.heldFrom} kind={row.kind} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid gap-4 max-lg:contents">
          <TurnCard shown={shown} now={now} today={today} className="max-lg:order-1">
            <CaseMoves shown={shown} heard={heard} />
          </TurnCard>
          <CasePapers shown={shown} heard={heard} className="max-lg:order-2" />
          <CaseHistory shown={shown} heard={heard} className="max-lg:order-5" />
        </div>
        <div className="grid gap-4 max-lg:contents">
          <CasePeople shown={shown} gesters={gesters} heard={heard} className="max-lg:order-3" />
          <CaseFacts shown={shown} heard={heard} className="max-lg:order-4" />
          <CaseLetters shown={shown} className="max-lg:order-4" />
        </div>
      </div>
    </>
  )
}

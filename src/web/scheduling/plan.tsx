import { redirect } from 'react-router'
import { z } from 'zod'
import { counted, longDate } from '../../domain/shared/format.ts'
import { refuse } from '../../domain/shared/refusal.ts'
import { db } from '../../server/app/context.ts'
import { applyPlan } from '../../server/scheduling/apply.ts'
import { startPlan, stopPlan } from '../../server/scheduling/changes.ts'
import { planOfDay, type ShownPlan } from '../../server/scheduling/planning-queries.ts'
import { concerning } from '../accounts/form-concerned.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { toast } from '../lib/flash.ts'
import { load } from '../lib/load.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { LinkButton } from '../ui/button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import type { Route } from './+types/plan.ts'
import { boardLink, boardQueryOf } from './board-query.ts'
import { CalculateForm } from './calculate-form.tsx'
import { PlanChoice } from './plan-choice.tsx'
import { planLink } from './plan-link.ts'
import { PlanProgress } from './plan-progress.tsx'
import { mayApply, PlanResult } from './plan-result.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = afterRefusal

/** The day and zones of the address, zones always in one order: it is part of which plan is meant. */
function wishOf(url: URL, now: Date) {
  const { date, today, zones } = boardQueryOf(url, now)
  return { date, today, zones: zones.toSorted() }
}

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    const now = new Date()
    const wish = wishOf(url, now)
    return { ...wish, ...(await planOfDay(context.get(db), someone(context), wish, now)) }
  })

const planId = z.uuid('Este formulario ya no sirve. Vuelve a abrir la página.')
const formInput = z.discriminatedUnion(
  'intent',
  [
    z.object({ intent: z.literal('calculate-plan') }),
    z.object({ intent: z.literal('stop-plan'), planId }),
    z.object({ intent: z.literal('apply-plan'), planId }),
  ],
  'Este formulario ya no sirve. Vuelve a abrir la página.',
)

export const action = ({ request, context, url }: Route.ActionArgs) =>
  submit(request, formInput, async (input) => {
    const [database, actor, now] = [context.get(db), someone(context), new Date()]
    const wish = wishOf(url, now)
    if (actor.kind !== 'manager') refuse('permission-denied')
    if (input.intent === 'calculate-plan') {
      await startPlan(database, actor, wish, now)
      return redirect(planLink(wish), 303)
    }
    if (input.intent === 'stop-plan') {
      await stopPlan(database, actor, input.planId)
      return toast(planLink(wish), 'Cálculo detenido', 'Queda el mejor plan hasta ahora.')
    }
    const count = await applyPlan(database, actor, input.planId, now)
    const words = counted(count, 'cita cambió de persona.', 'citas cambiaron de persona.')
    return toast(planLink(wish), 'Plan aplicado', count === 0 ? 'Ya estaba aplicado.' : words)
  })

export default function Plan({ loaderData, actionData }: Route.ComponentProps) {
  const { date, today, open, plan, zones } = loaderData
  const again = plan?.state !== 'running'
  useStepFocus(plan?.state)
  const unheard = actionData?.refusal && !hasForm(plan, actionData.values.intent) ? actionData.refusal : null
  return (
    <>
      <PageHeader
        title="Optimizar el día"
        subtitle={`${longDate(date)} · ${counted(open, 'cita puede', 'citas pueden')} cambiar de persona`}
        back={{
          to: boardLink({ date, today, zones, service: undefined, nobody: false, after: undefined }),
          label: 'Asignaciones de citas',
        }}
      />
      <PlanChoice date={date} zones={zones} />
      {unheard && (
        <Alert tone="bad" title={unheard.title}>
          {unheard.description}
        </Alert>
      )}
      {again && (
        <CalculateForm
          open={open}
          isAgain={plan !== null}
          result={concerning(actionData, 'calculate-plan')}
        />
      )}
      {plan?.state === 'running' && (
        <PlanProgress plan={plan} result={concerning(actionData, 'stop-plan')}>
          <LinkButton variant="ghost" to={planLink({ date, zones })} prefetch="none">
            Ver cómo va
          </LinkButton>
        </PlanProgress>
      )}
      {plan && again && <PlanResult plan={plan} result={concerning(actionData, 'apply-plan')} />}
    </>
  )
}

/** Whether the form that was answered stands on the page, with the answer in it: a calculation may have begun or ended meanwhile. */
function hasForm(plan: ShownPlan | null, intent: string | undefined): boolean {
  if (plan?.state === 'running') return intent === 'stop-plan'
  return intent === 'calculate-plan' || (intent === 'apply-plan' && plan !== null && mayApply(plan))
}

import { Route as RouteIcon } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { redirect, Form as SearchForm } from 'react-router'
import { confirmChosen } from '../../appointments/assign-many.ts'
import { redirectAfterConfirming } from '../../appointments/screens/after-confirming.ts'
import { redirectWithToast, redirectWithUndo } from '../../kit/flash.ts'
import { Field } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useStepFocus } from '../../kit/navigation-focus.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { checked, form, forms } from '../../kit/submit.ts'
import { managesSchedule } from '../../scheduling/rules/roster.ts'
import { planInput } from '../../scheduling/rules/schema.ts'
import { type BoardQuery, boardLink, boardQueryOf, planLink } from '../../scheduling/screens/board-query.ts'
import { counted, longDate, percent } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Progress } from '../../ui/progress.tsx'
import { applyPlan } from '../apply-plan.ts'
import { boardOf } from '../board-queries.ts'
import { planOfDay, type ShownPlan, startPlan, stopPlan } from '../plans.ts'
import type { Route } from './+types/plan.ts'
import { Zones } from './board-filters.tsx'
import { hasMoves, PlanResultCard as PlanResult } from './plan-result.tsx'

type CalculateFormProps = { open: number; isAgain: boolean; button: RefObject<HTMLDivElement | null> }

/** What a plan may change, and the button that computes it. */
function CalculateForm({ open, isAgain, button }: CalculateFormProps) {
  if (open === 0)
    return (
      <Form intent="calculate-plan">
        <EmptyState icon={RouteIcon}>
          No hay citas por asignar ese día en esas zonas. Elige otro día u otras zonas.
        </EmptyState>
      </Form>
    )
  return (
    <Card>
      <Form intent="calculate-plan">
        <p className="max-w-prose text-[0.9375rem] text-mute">
          Reparte las citas por asignar entre quienes pueden tomarlas, con menos traslado y cargas de trabajo
          equilibradas. Las horas no cambian, y lo ya confirmado se queda con su persona. Nada cambia hasta
          que lo apliques.
        </p>
        <div ref={button}>
          <Submit variant={isAgain ? 'ghost' : 'primary'}>
            {isAgain ? 'Calcular de nuevo' : 'Calcular'}
          </Submit>
        </div>
      </Form>
    </Card>
  )
}

/** Which day and which zones, kept in the address. */
function PlanChoice({ query: { date, map, nobody, service, view, zones } }: { query: BoardQuery }) {
  const kept = {
    ...(map && { mapa: map }),
    ...(service && { service }),
    ...(view === 'week' && { vista: 'semana' }),
    ...(nobody && { persona: 'nadie' }),
  }
  return (
    <SearchForm
      method="get"
      className="grid grid-cols-1 items-end gap-3 sm:grid-cols-2 lg:grid-cols-[11rem_14rem_auto_1fr]"
    >
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Field label="Día" name="dia" type="date" optional="unsaid" defaultValue={date} className="min-w-0" />
      <Zones chosen={zones} />
      <Button type="submit" variant="ghost" className="sm:max-lg:col-span-2">
        Mostrar
      </Button>
    </SearchForm>
  )
}

const phases: Record<string, string> = {
  start: 'Buscando un primer plan',
  routes: 'Armando rutas',
  plan: 'Combinando las mejores rutas',
  proof: 'Comprobando que no haya uno mejor',
}

/** How long it takes at most. */
const seconds = 10

type PlanProgressProps = { plan: ShownPlan; children: ReactNode }

/** A plan that is being computed. Without scripts the page reloads by itself. */
function PlanProgress({ plan: { id, progress }, children }: PlanProgressProps) {
  return (
    <Card title="Calculando">
      <noscript>
        <meta httpEquiv="refresh" content="2" />
      </noscript>
      <Progress label="Tiempo usado" value={progress?.seconds ?? 0} max={seconds} />
      <DefinitionList
        items={[
          { term: 'Paso', value: phases[progress?.phase ?? 'start'] },
          { term: 'Hasta ahora', value: progress && soFar(progress) },
        ]}
      />
      <Form intent="stop-plan">
        <input type="hidden" name="planId" value={id} />
        <div className="flex flex-wrap gap-3">
          {progress && <Submit variant="ghost">Detener y usar el mejor</Submit>}
          {children}
        </div>
      </Form>
    </Card>
  )
}

/** How good the best plan is that was found. A bound of zero or less says nothing, as the first ones are. */
function soFar({ bound, cost }: NonNullable<ShownPlan['progress']>): string {
  if (bound === null || bound <= 0) return 'Ya hay un reparto; buscamos uno mejor.'
  if (cost - bound < 0.5) return 'Es el mejor reparto posible.'
  return `A menos de ${percent(Math.ceil(((cost - bound) / cost) * 1000) * 10)} del mejor posible.`
}

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

/** The board of the address; its day and its zones, always in one order, identify the plan. */
function planQueryOf(url: URL, now: Date): BoardQuery {
  const query = boardQueryOf(url, now)
  return { ...query, date: query.date || query.today, zones: query.zones.toSorted() }
}

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now } = signedIn(context)
    const input = planQueryOf(url, now)
    const { open, plan } = await planOfDay(db, actor, input, now)
    const board = plan && hasMoves(plan) ? await boardOf(db, actor, input.date, now) : null
    return { query: input, open, plan, board }
  })

export const action = forms(({ context, url }: Route.ActionArgs) => {
  const { db, actor, now } = signedIn(context)
  const input = planQueryOf(url, now)
  return checked(() => managesSchedule(actor) || refuse('permission-denied'), {
    'calculate-plan': form(planInput['calculate-plan'], async () => {
      await startPlan(db, actor, input, now)
      return redirect(planLink(input), 303)
    }),
    'stop-plan': form(planInput['stop-plan'], async ({ planId }) => {
      await stopPlan(db, actor, planId)
      return redirectWithToast(planLink(input), 'Cálculo detenido', 'Queda el mejor plan hasta ahora.')
    }),
    'apply-plan': form(planInput['apply-plan'], async ({ planId }) => {
      const { moved, version } = await applyPlan(db, actor, planId, now)
      const words = counted(moved, 'cita cambió de persona.', 'citas cambiaron de persona.')
      return moved === 0
        ? redirectWithToast(planLink(input), 'Plan aplicado', 'Ya estaba aplicado.')
        : redirectWithUndo(planLink(input), 'Plan aplicado', words, [{ of: 'reparto', id: planId, version }])
    }),
    'confirm-plan': form(planInput['confirm-plan'], async ({ planId }) => {
      const { proposed, version } = await applyPlan(db, actor, planId, now)
      const outcome = await confirmChosen(db, actor, proposed, now)
      return redirectAfterConfirming(boardLink(input), outcome, [{ of: 'reparto', id: planId, version }])
    }),
  })
})

/** Presses the button once for each address that has no plan yet, or one that can't be applied any more. */
function useBeginning(address: string, isWanted: boolean) {
  const button = useRef<HTMLDivElement>(null)
  const seen = useRef('')
  useEffect(() => {
    if (seen.current === address) return
    seen.current = address
    if (isWanted) button.current?.closest('form')?.requestSubmit()
  }, [address, isWanted])
  return button
}

export default function Plan({ loaderData }: Route.ComponentProps) {
  const { board, open, plan, query } = loaderData
  const { date, today } = query
  const again = plan?.state !== 'running'
  useStepFocus(plan?.state)
  const button = useBeginning(planLink(query), date >= today && (plan === null || plan.isOutdated))
  return (
    <>
      <PageHeader
        title="Optimizar el día"
        subtitle={`${longDate(date)} · ${counted(open, 'cita puede', 'citas pueden')} cambiar de persona`}
        back={{
          to: boardLink(query),
          label: 'Asignaciones de citas',
        }}
      />
      <PlanChoice key={planLink(query)} query={query} />
      <OrphanedFormError />
      {plan?.state === 'running' && (
        <PlanProgress plan={plan}>
          <LinkButton variant="ghost" to={planLink(query)} prefetch="none">
            Ver cómo va
          </LinkButton>
        </PlanProgress>
      )}
      {plan && again && <PlanResult plan={plan} board={board} />}
      {again && <CalculateForm open={open} isAgain={plan !== null} button={button} />}
    </>
  )
}

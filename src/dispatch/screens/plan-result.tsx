import { serviceFacts } from '../../appointments/rules/appointment.ts'
import { undoSeconds, undoText } from '../../appointments/rules/undo.ts'
import { StateIcons } from '../../appointments/screens/state-badge.tsx'
import { Form, Submit } from '../../kit/form/form.tsx'
import { UndoNotice } from '../../kit/undo-notice.tsx'
import { reasonWords } from '../../scheduling/rules/eligibility.ts'
import { counted, duration, minuteTime, percent, time } from '../../shared/format.ts'
import { municipalityLabel } from '../../shared/places.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ActionBar } from '../../ui/button.tsx'
import { Card, Details } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Link } from '../../ui/link.tsx'
import type { PlanResult as Result, ShownPlan } from '../plans.ts'
import { type BoardDay, isMovable } from '../rules/board.ts'
import { exceptionFor } from '../rules/repairs.ts'
import { zoneLabel } from '../rules/zone-labels.ts'
import { BeforeAfter } from './before-after.tsx'
import { pageOf } from './board-lane.tsx'

/** Whether a plan changes something, and still can. */
export const hasMoves = (plan: ShownPlan) =>
  isOpen(plan) && plan.result !== null && plan.result.moves.length > 0

const isOpen = ({ state }: ShownPlan) => state === 'ready' || state === 'stopped'

/** What a plan would change, and the button that changes it; or why there is none. */
export function PlanResultCard({ plan, board }: { plan: ShownPlan; board: BoardDay | null }) {
  const { result: found, state } = plan
  if (state === 'failed' || !found)
    return (
      <Alert tone="bad" title="El cálculo no terminó">
        No cambió nada. Calcula de nuevo; si vuelve a pasar, pide ayuda.
      </Alert>
    )
  return (
    <>
      {state === 'applied' && (
        <Alert tone="ok" title="Plan aplicado">
          Cada cita tiene a la persona del plan, propuesta o ya confirmada.
        </Alert>
      )}
      {plan.undo && (
        <UndoNotice
          changes={undoText([{ of: 'reparto', id: plan.id, version: plan.undo.version }])}
          seconds={plan.undo.seconds}
        />
      )}
      {found.moves.length === 0 && (
        <Alert
          tone="info"
          title={found.left.after > 0 ? 'No hay un mejor reparto' : 'El día ya está bien repartido'}
        >
          {found.left.after > 0
            ? `${counted(found.left.after, 'cita sigue', 'citas siguen')} sin persona.`
            : 'No encontramos un reparto mejor que el actual.'}
        </Alert>
      )}
      <PlanBar plan={plan} result={found} />
      <Warnings result={found} />
      {board && (
        <>
          <Unplaced board={withMoves(board, found)} />
          <StateIcons />
          <BeforeAfter before={board} after={withMoves(board, found)} />
        </>
      )}
      {found.moves.length > 0 && (
        <Details summary={counted(found.moves.length, 'cita cambia de persona', 'citas cambian de persona')}>
          <Moves result={found} />
        </Details>
      )}
      <Details summary="Traslado de cada persona">
        <People result={found} />
      </Details>
    </>
  )
}

/** The visits that stay without a person: each with the rule that is cheapest to set aside. */
function Unplaced({ board }: { board: BoardDay }) {
  const asked = new Set(board.offers.map(({ appointmentId }) => appointmentId))
  const visits = board.visits.filter(
    (visit) =>
      visit.personId === null &&
      isMovable(visit) &&
      visit.start >= board.now &&
      serviceFacts[visit.service].needsTravel &&
      !asked.has(visit.id),
  )
  if (visits.length === 0) return null
  return (
    <ul aria-label="Citas sin persona" className="grid gap-1 text-[0.9375rem]">
      {visits.map((visit) => {
        return (
          <li key={visit.id}>
            <Link to={pageOf(visit)} className="font-semibold">
              {visit.customer}, {minuteTime(visit.start)}
            </Link>{' '}
            <span className="text-mute">
              {zoneLabel(visit.zone)}. {unplacedWords(exceptionFor(board, visit))}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function unplacedWords(best: ReturnType<typeof exceptionFor>) {
  if (!best) return 'Nadie puede llegar a esa hora.'
  if (best.against.length === 0) return `Puede tomarla ${best.name}.`
  return `Con excepción, ${best.name}: ${best.against.map(reasonWords).join('; ')}.`
}

function withMoves(board: BoardDay, { moves }: Result): BoardDay {
  const to = new Map(moves.map(({ id, toId }) => [id, toId]))
  const visits = board.visits.map((visit) =>
    to.has(visit.id) ? { ...visit, personId: to.get(visit.id) ?? null } : visit,
  )
  return { ...board, visits }
}

type PlanBarProps = { plan: ShownPlan; result: Result }

/** The sum of a plan in words, and the press that applies it; what a press does is said above it. */
const PlanBar = ({ plan, result }: PlanBarProps) => (
  <Card
    title={sumOf(result)}
    aside={
      result.gap === 0 ? <Badge tone="ok">Óptimo</Badge> : <Badge tone="info">{gapWords(result.gap)}</Badge>
    }
  >
    {result.left.before > result.left.after && (
      <p className="text-[0.9375rem]">
        {counted(
          result.left.before - result.left.after,
          'cita que no tenía persona ya tiene quien la atienda.',
          'citas que no tenían persona ya tienen quien las atienda.',
        )}
      </p>
    )}
    {isOpen(plan) &&
      (plan.isOutdated ? (
        <p className="text-[0.9375rem]">
          El día cambió desde que se calculó: calcúlalo de nuevo para aplicarlo.
        </p>
      ) : (
        <ApplyForm id={plan.id} result={result} />
      ))}
  </Card>
)

/** "37 min menos de traslado: 2 h 10 min en lugar de 2 h 47 min" */
function sumOf({ travel }: Result): string {
  const sum = `${saving(travel.before - travel.after)} de traslado`
  return travel.before === travel.after
    ? `${sum}: ${duration(travel.after)}`
    : `${sum}: ${duration(travel.after)} en lugar de ${duration(travel.before)}`
}

/** To apply and confirm at once, or to apply only. */
function ApplyForm({ id, result: { moves, toConfirm } }: { id: string; result: Result }) {
  const isChange = moves.length > 0
  if (!isChange && toConfirm.visits === 0) return null
  return (
    <Form intent={['confirm-plan', 'apply-plan']}>
      <input type="hidden" name="planId" value={id} />
      {toConfirm.visits > 0 && <p className="max-w-prose text-[0.9375rem]">{confirmingWords(toConfirm)}</p>}
      {isChange && (
        <p className="max-w-prose text-[0.9375rem]">
          Sin confirmar nadie recibe correos, y aquí mismo puedes deshacerlo mientras ninguna de sus citas
          cambie.
        </p>
      )}
      <ActionBar>
        {toConfirm.visits > 0 && (
          <Submit name="intent" value="confirm-plan">
            {isChange ? 'Aplicar y confirmar' : 'Confirmar'} {counted(toConfirm.visits, 'cita', 'citas')}
          </Submit>
        )}
        {isChange && (
          <Submit name="intent" value="apply-plan" variant={toConfirm.visits > 0 ? 'ghost' : 'primary'}>
            Aplicar sin confirmar
          </Submit>
        )}
      </ActionBar>
    </Form>
  )
}

/** Who gets a letter, and what can be undone. */
function confirmingWords({ people, visits }: Result['toConfirm']): string {
  const letters = `Al confirmar, ${counted(visits, 'cliente recibe', 'clientes reciben')} un correo con el nombre de su técnico; ${counted(people, 'técnico recibe', 'técnicos reciben')} el de sus citas.`
  return `${letters} Durante ${undoSeconds} segundos puedes deshacer todo el reparto, en el aviso o aquí mismo.`
}

function Warnings({ result: { left, stuck } }: { result: Result }) {
  return (
    <>
      {left.after > 0 && (
        <Alert
          tone="wait"
          title={counted(left.after, 'cita se queda sin persona', 'citas se quedan sin persona')}
        >
          Nadie puede tomarlas sin romper una regla con lo demás de ese día.
        </Alert>
      )}
      {stuck > 0 && (
        <Alert tone="wait" title={counted(stuck, 'cita no se movió', 'citas no se movieron')}>
          Por su zona o su hora, ese día nadie cumple las reglas para tomarlas. Revísalas a mano.
        </Alert>
      )}
    </>
  )
}

/** A table breaks its lines elsewhere first. */
const whole = (words: string) => <span className="whitespace-nowrap">{words}</span>

function Moves({ result: { moves } }: { result: Result }) {
  return (
    <DataTable
      caption="Citas que cambian de persona"
      rows={moves}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Cita', main: true, cell: ({ folio }) => whole(folio) },
        { header: 'Hora', cell: ({ startsAt }) => whole(time(startsAt)) },
        { header: 'Servicio', cell: ({ service }) => serviceFacts[service].label },
        {
          header: 'Zona',
          cell: ({ municipality }) =>
            municipality && <span className="wrap-normal">{municipalityLabel(municipality)}</span>,
        },
        { header: 'De', cell: ({ from }) => from ?? 'Nadie' },
        { header: 'A', cell: ({ to }) => to ?? 'Nadie' },
      ]}
    />
  )
}

function People({ result: { people } }: { result: Result }) {
  return (
    <DataTable
      caption="Citas y traslado de cada persona, antes y con el plan"
      rows={people}
      rowKey={({ id }) => id}
      columns={[
        { header: 'Persona', main: true, cell: ({ name }) => name },
        {
          header: 'Citas',
          numeric: true,
          cell: ({ before, after }) => change(before.visits, after.visits, String),
        },
        {
          header: 'Traslado',
          numeric: true,
          cell: ({ before, after }) => change(before.travel, after.travel, duration),
        },
        {
          header: 'Ahorro',
          numeric: true,
          cell: ({ before, after }) => saving(before.travel - after.travel),
        },
      ]}
    />
  )
}

const change = (before: number, after: number, words: (value: number) => string) =>
  before === after ? words(after) : `${words(before)} → ${words(after)}`

/** "37 min menos de traslado"; a plan that gives work to more people may need more travel. */
const saving = (minutes: number) =>
  minutes === 0 ? 'Sin cambio' : `${duration(Math.abs(minutes))} ${minutes > 0 ? 'menos' : 'más'}`

/** Rounded up, so that the stated gap is never too small. */
const gapWords = (gap: number) => `A menos de ${percent(Math.ceil(gap * 1000) * 10)} del óptimo`

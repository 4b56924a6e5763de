import { ArrowRight } from 'lucide-react'
import { useMemo } from 'react'
import { undoSeconds } from '../../appointments/rules/undo.ts'
import { Form, Submit } from '../../kit/form/form.tsx'
import { reasonWords } from '../../scheduling/rules/eligibility.ts'
import { type BoardQuery, boardLink, boardPath, fromBoard } from '../../scheduling/screens/board-query.ts'
import { duration, minuteTime } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { cardClass } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import type { BoardDay } from '../rules/board.ts'
import { frozen, type Repair, repairsOf } from '../rules/repairs.ts'
import { pageOf } from './board-lane.tsx'

type BoardRepairsProps = { board: BoardDay; query: BoardQuery }

/** What keeps customers of today from waiting: each proposal with its cause and who is told, applied by one press. */
export function BoardRepairs({ board, query }: BoardRepairsProps) {
  const repairs = useMemo(() => repairsOf(board), [board])
  if (repairs.length === 0) return null
  return (
    <section aria-labelledby="arreglos" className={`${cardClass} grid grid-cols-1 gap-1 p-4`}>
      <h2 id="arreglos" className="font-semibold">
        Para que nadie espere
      </h2>
      <ul className="grid grid-cols-1 divide-y divide-line">
        {repairs.map((repair) => (
          <li
            key={repair.visit.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
          >
            <RepairWords repair={repair} board={board} query={query} />
            {repair.taker ? (
              <ApplyRepair repair={repair} board={board} query={query} />
            ) : (
              <LinkButton variant="ghost" to={fromBoard(`${boardPath}/${repair.visit.id}/mover`, query)}>
                Buscar otra hora
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const nameOf = ({ people }: BoardDay, personId: string | null) =>
  people.find(({ id }) => id === personId)?.name ?? ''

/** "Víctor llegaría 45 min tarde." */
function causeOf({ isOverdue, late, visit }: Repair, board: BoardDay) {
  const name = nameOf(board, visit.personId)
  return isOverdue
    ? `${name} no la ha iniciado: ${duration(late)} tarde.`
    : `${name} llegaría ${duration(late)} tarde.`
}

const isSoon = ({ isOverdue, visit }: Repair, { now }: BoardDay) => !isOverdue && visit.start < now + frozen

function RepairWords({ board, query, repair }: BoardRepairsProps & { repair: Repair }) {
  const { exceptions, isOverdue, taker, visit } = repair
  const before = visit.confirmed && nameOf(board, visit.personId)
  const told = [visit.customer, before, taker?.name].filter(Boolean).join(', ')
  return (
    <div className="grid gap-0.5">
      <p className="flex flex-wrap items-center gap-x-2 text-[0.9375rem]">
        <Link to={pageOf(visit, query)} className="font-semibold text-ink">
          {visit.customer}, {minuteTime(visit.start)}
        </Link>
        {taker && (
          <>
            <ArrowRight aria-label="pasa a" className="size-4 text-mute" />
            <span>
              <b className="font-semibold">{taker.name}</b>, {isOverdue ? 'que puede ir ahora' : 'misma hora'}
            </span>
          </>
        )}
      </p>
      <p className="text-sm text-mute">
        {causeOf(repair, board)}{' '}
        {taker
          ? `Se avisa a ${told}.`
          : isSoon(repair, board)
            ? 'Empieza pronto: avísale.'
            : 'Nadie más puede llegar a esa hora.'}
        {exceptions.length > 0 && ` Con excepción: ${exceptions.map(reasonWords).join('; ')}.`}
      </p>
    </div>
  )
}

/** The same form as a block dropped on another row: undone within its seconds like any move. */
const ApplyRepair = ({ board, query, repair }: BoardRepairsProps & { repair: Repair }) => {
  const { exceptions, taker, visit } = repair
  return (
    <Form
      intent="repair"
      action={boardLink(query)}
      target={{ appointmentId: visit.id, assigneeId: taker?.id ?? '', startsAt: String(visit.start) }}
      preventScrollReset
    >
      <input type="hidden" name="version" value={visit.version} />
      {exceptions.length > 0 && <input type="hidden" name="overrideReason" value={causeOf(repair, board)} />}
      <Submit title={`Durante ${undoSeconds} segundos puedes deshacerlo.`}>
        Aplicar
        <span className="sr-only">
          : {visit.customer} pasa a {taker?.name}
        </span>
      </Submit>
    </Form>
  )
}

import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '../access/rules/actor.ts'
import { type Db, type Tx, transaction } from '../platform/database/client.ts'
import { record } from '../platform/database/lists.ts'
import { tasks } from '../platform/database/schema/projects.ts'
import { enqueue } from '../platform/jobs/jobs.ts'
import { announce } from '../platform/live/announcements.ts'
import { askToCallCustomer } from '../projects/open-project.ts'
import { refuse } from '../shared/refusal.ts'
import { affectedUserIds } from './rules/appointment.ts'
import { mayReportAgain, missedStepOf, type NobodyCameAnswer } from './rules/nobody-came.ts'
import { appointmentMachine } from './rules/transitions.ts'
import { type AppointmentRow, factsOf, lockAppointment, transition } from './transition.ts'

const reason = 'nobody_came'

/**
 * The customer reports that the assignee did not arrive: an urgent task, and a letter for the managers and for them.
 * Reported again while we have not answered, it is the same one.
 */
export async function nobodyCame(db: Db, actor: Actor, id: string, now: Date): Promise<AppointmentRow> {
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    if (missedStepOf(held) && !mayReportAgain(held, now)) return held
    const after = await transition(tx, actor, held, 'nobodyCame', now, {
      nobodyCameAt: now,
      nobodyCameAnswer: null,
      nobodyCameAnsweredAt: null,
    })
    await closeTasks(tx, actor, after, 'Lo dijo otra vez.', now)
    await askToCallCustomer(tx, after, { subject: `Nadie llegó a la cita ${after.folio}`, reason })
    for (const to of ['managers', 'customer'] as const)
      await enqueue(tx, 'letter', { letter: 'nobody_came', appointmentId: id, to })
    return after
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

const results: Record<Exclude<NobodyCameAnswer, 'calling'>, string> = {
  coming: 'Va en camino.',
  was_there: 'Sí estuvo ahí.',
}

/**
 * The office answers that report. That somebody comes, or was there, settles it: the task is closed, and the customer
 * gets a letter. The same answer twice is one.
 */
export async function answerNobodyCame(
  db: Db,
  actor: Actor,
  id: string,
  answer: NobodyCameAnswer,
  now: Date,
): Promise<AppointmentRow> {
  const moved = await transaction(db, async (tx) => {
    const held = await lockAppointment(tx, actor, id)
    // Whoever may not answer is told that first.
    appointmentMachine.next('answerNobodyCame', actor, factsOf(held), now)
    if (held.nobodyCameAnswer === answer) return held
    if (!held.nobodyCameAt || missedStepOf(held) === 'moved')
      refuse('failed-precondition', 'El cliente no ha dicho que nadie llegó. Actualiza la página.')
    const after = await transition(
      tx,
      actor,
      held,
      'answerNobodyCame',
      now,
      { nobodyCameAnswer: answer, nobodyCameAnsweredAt: now },
      { data: { answer } },
    )
    if (answer !== 'calling') {
      await closeTasks(tx, actor, after, results[answer], now)
      await enqueue(tx, 'letter', { letter: 'nobody_answered', appointmentId: id, to: 'customer' })
    }
    return after
  })
  announce(db, { people: affectedUserIds(moved) })
  return moved
}

/** The open task to call about it is done. */
async function closeTasks(tx: Tx, actor: Actor, { id }: AppointmentRow, result: string, now: Date) {
  const done = await tx
    .update(tasks)
    .set({ doneAt: now, takenBy: actor.id, result })
    .where(and(eq(tasks.appointmentId, id), eq(tasks.reason, reason), isNull(tasks.doneAt)))
    .returning({ id: tasks.id })
  for (const task of done)
    await record(tx, {
      entity: 'task',
      entityId: task.id,
      actorId: actor.id,
      name: 'close',
      reason: result,
    })
}

import { isEnd } from '../../appointments/rules/field-steps.ts'
import { noShowSlot } from '../../reports/rules/photos.ts'
import { change, type OfflineStore } from './offline-store.ts'
import type { AnswerRow, MoveRow, StoredProblem } from './rows.ts'
import type { SendTask } from './send-order.ts'
import { type Database, removeFile } from './store.ts'

/** The server's response to sent answers. */
type Saved = {
  saved?: Record<string, number>
  conflicts?: {
    name: string
    value: AnswerRow['value']
    revision: number
    by: string | null
    own: boolean
    at: string
  }[]
  refused?: { name: string; message: string }[]
}

/** Notes that the server accepted a task: pictures leave the phone, rows stay until the page shows the same. */
export const noteTaken = (phone: OfflineStore, task: SendTask, body: unknown) =>
  change(phone, async (database) => {
    if (task.kind === 'answers') return noteAnswers(database, task.rows, body as Saved)
    if (task.kind === 'move') {
      const { appointmentId, folio, move } = task.row
      // Ended here, and the appointment is not over by it: the office took it away meanwhile.
      const { claimed, state } = body as { state?: string; claimed?: boolean }
      if (isEnd(move) && (claimed ?? (move === 'submit' && state !== 'done')))
        phone.state.set({ claimed: [...phone.state.get().claimed, folio] })
      if (move === 'noShow')
        for (const file of phone.state.get().rows.files)
          if (file.appointmentId === appointmentId && file.slot === noShowSlot && file.state === 'refused')
            await removeFile(database, file.id)
      return noteMove(database, task.row)
    }
    await database.put('files', { ...task.row, state: 'sent', problem: null })
    await database.delete('blobs', task.row.id)
  })

/** Once the appointment has ended, no step before that is awaited any more, nor one that was refused. */
async function noteMove(database: Database, taken: MoveRow) {
  const { store, done } = database.transaction('moves', 'readwrite')
  const own = await store.index('person').getAll(taken.personId)
  if (isEnd(taken.move))
    for (const { appointmentId, id } of own) if (appointmentId === taken.appointmentId) await store.delete(id)
  await store.put({ ...taken, state: 'sent', problem: null })
  await done
}

/** Notes that the server refused a task, and why; nothing of it is deleted. */
export const noteRefused = (phone: OfflineStore, task: SendTask, problem: StoredProblem) =>
  change(phone, async (database) => {
    if (task.kind === 'answers')
      return update(database, task.rows, (row, sent) =>
        isSame(row, sent) ? { ...row, state: 'refused', problem } : row,
      )
    const refused = { state: 'refused', problem } as const
    if (task.kind === 'move') await database.put('moves', { ...task.row, ...refused })
    else await database.put('files', { ...task.row, ...refused })
  })

function noteAnswers(
  database: Database,
  sent: readonly AnswerRow[],
  { saved = {}, conflicts = [], refused = [] }: Saved,
) {
  return update(database, sent, (row, before) => {
    const { name } = row
    const conflict = conflicts.find((one) => one.name === name)
    if (conflict) return { ...row, conflict }
    const revision = saved[name]
    // Written again meanwhile: that is sent next, over what was just saved.
    if (revision !== undefined)
      return {
        ...row,
        base: revision,
        ...(row.earlier && { earlier: row.earlier.filter(({ at }) => at > before.at) }),
        ...(isSame(row, before) && { state: 'sent' as const, problem: null }),
      }
    const message = refused.find((one) => one.name === name)?.message ?? 'No se pudo guardar.'
    const problem = { code: 'invalid-argument', title: 'La respuesta no se aceptó', description: message }
    return isSame(row, before) ? { ...row, state: 'refused', problem } : row
  })
}

/** Changes rows as they are now: their author may have written again while they were on their way. */
async function update(
  database: Database,
  sent: readonly AnswerRow[],
  next: (row: AnswerRow, sent: AnswerRow) => AnswerRow,
): Promise<void> {
  const { store, done } = database.transaction('answers', 'readwrite')
  for (const before of sent) {
    const row = await store.get([before.personId, before.appointmentId, before.name])
    if (row) await store.put(next(row, before))
  }
  await done
}

const isSame = (row: AnswerRow, sent: AnswerRow) =>
  row.at === sent.at && JSON.stringify(row.value) === JSON.stringify(sent.value)

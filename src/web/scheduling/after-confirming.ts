import { counted } from '../../domain/shared/format.ts'
import type { Settled } from '../../server/appointments/assign-many.ts'
import { redirectWithToast, redirectWithUndo } from '../lib/flash.ts'

/** How many names, and how many reasons, a toast holds. */
const said = { names: 5, reasons: 2 }

/** Back to a screen after proposed assignments were confirmed there: how many were, which can be undone, and why others were not. */
export function redirectAfterConfirming(to: string, { left, moved }: Settled) {
  const done = counted(moved.length, 'cita confirmada', 'citas confirmadas')
  if (left.length === 0) return redirectWithUndo(to, done, 'Avisamos a clientes y técnicos.', moved)
  const title = moved.length === 0 ? 'Ninguna cita se confirmó' : `${done}; ${left.length} no`
  return moved.length === 0
    ? redirectWithToast(to, title, stillOpenWords(left), 'destructive')
    : redirectWithUndo(to, title, stillOpenWords(left), moved)
}

/** Whose are as they were, by the reason they have in common. */
function stillOpenWords(left: Settled['left']): string {
  const byReason = [...Map.groupBy(left, ({ why }) => why)]
  const words = byReason.slice(0, said.reasons).map(([why, rows]) => `${namesOf(rows)}: ${why}`)
  const unsaid = byReason.slice(said.reasons).reduce((sum, [, rows]) => sum + rows.length, 0)
  return [...words, ...(unsaid > 0 ? [`Y ${counted(unsaid, 'otra', 'otras')} más.`] : [])].join(' ')
}

function namesOf(rows: Settled['left']): string {
  const names = rows.slice(0, said.names).map(({ customer }) => customer)
  const more = rows.length > said.names ? ` y ${rows.length - said.names} más` : ''
  return `${names.join(', ')}${more}`
}

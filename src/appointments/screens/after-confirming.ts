import { redirectWithToast, redirectWithUndo } from '../../kit/flash.ts'
import { counted } from '../../shared/format.ts'
import type { Settled } from '../assign-many.ts'
import { MAX_CONFIRMED, type Undoable } from '../rules/undo.ts'

/** How many names, and how many reasons, a toast holds. */
const said = { names: 5, reasons: 2 }

/**
 * Back to a screen after proposed assignments were confirmed there: how many were, what can be undone (each of them, or
 * what they are part of), and why others were not.
 */
export function redirectAfterConfirming(
  to: string,
  { left, moved }: Settled,
  changes: readonly Undoable[] = moved,
) {
  const words = left.length === 0 ? 'Avisamos a clientes y técnicos.' : stillOpenWords(left)
  if (moved.length + left.length === 0)
    return redirectWithToast(to, 'Ninguna cita se asignó', 'No había citas por asignar.', 'default')
  if (moved.length === 0) return redirectWithToast(to, 'Ninguna cita se asignó', words, 'destructive')
  const done = counted(moved.length, 'cita asignada', 'citas asignadas')
  const title = left.length === 0 ? done : `${done}; ${left.length} no`
  // A toast undoes no more than it can carry.
  if (changes.length > MAX_CONFIRMED) return redirectWithToast(to, title, words)
  return redirectWithUndo(to, title, words, changes)
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

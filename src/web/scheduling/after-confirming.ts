import { counted } from '../../domain/shared/format.ts'
import type { confirmProposed } from '../../server/appointments/assign.ts'
import { redirectWithToast, redirectWithUndo } from '../lib/flash.ts'

/** How many names a toast holds. */
const namesSaid = 5

/** Back to a screen after proposed assignments were confirmed there: how many were, which can be undone, and whose were not. */
export function redirectAfterConfirming(
  to: string,
  { confirmed, left }: Awaited<ReturnType<typeof confirmProposed>>,
) {
  const done = counted(confirmed.length, 'cita confirmada', 'citas confirmadas')
  if (confirmed.length === 0) return redirectWithToast(to, done, stillOpenWords(left), 'destructive')
  const words = left.length === 0 ? 'Avisamos a clientes y técnicos.' : stillOpenWords(left)
  return redirectWithUndo(to, done, words, confirmed)
}

function stillOpenWords(names: readonly string[]): string {
  const said = names.slice(0, namesSaid).join(', ')
  const more = names.length > namesSaid ? ` y ${names.length - namesSaid} más` : ''
  return `Sin confirmar: ${said}${more}. Cambiaron mientras tanto, o su técnico ya no puede.`
}

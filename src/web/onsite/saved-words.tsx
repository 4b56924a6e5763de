import { CircleCheck, CloudUpload } from 'lucide-react'
import type { Draft } from './draft.ts'

/** Whether everything written here has reached the server. Read out only when it begins or ends to wait. */
export function SavedWords({ draft: { waiting } }: { draft: Pick<Draft, 'waiting'> }) {
  const Icon = waiting === 0 ? CircleCheck : CloudUpload
  return (
    <span className="flex items-center gap-1.5 text-sm text-mute noscript:hidden">
      <Icon aria-hidden className="size-4.5 shrink-0" />
      {waiting === 0 ? 'Guardado' : waitingWords(waiting)}
    </span>
  )
}

/** "1 cambio por enviar", "3 cambios por enviar" */
export const waitingWords = (count: number) =>
  count === 1 ? '1 cambio por enviar' : `${count} cambios por enviar`

import { CircleAlert, CircleCheck, CloudUpload } from 'lucide-react'
import { counted } from '../../domain/shared/format.ts'
import type { Draft } from '../offline/draft.ts'

type Saved = Pick<Draft, 'waiting' | 'typed' | 'unkept'>

/** Whether everything written here is kept, and has reached the server. Read out only when it begins or ends to wait. */
export function SavedWords({ draft }: { draft: Saved }) {
  const { Icon, tone, words } = standing(draft)
  return (
    <span className={`flex items-center gap-1.5 text-sm noscript:hidden ${tone}`}>
      <Icon aria-hidden className="size-4.5 shrink-0" />
      {words}
    </span>
  )
}

/** What is not kept comes first, then what is not complete: neither is covered by what is. */
function standing({ typed, unkept, waiting }: Saved) {
  const unfinished = Object.values(typed)
  if (unkept.size > 0) return { Icon: CircleAlert, tone: 'text-bad', words: 'Lo último no se guardó' }
  if (unfinished.length === 1)
    return {
      ...{ Icon: CircleAlert, tone: 'text-bad' },
      words: Array.isArray(unfinished[0]) ? 'Falta completar un aparato' : 'Falta corregir un dato',
    }
  if (unfinished.length > 1)
    return { Icon: CircleAlert, tone: 'text-bad', words: `Falta completar ${unfinished.length} datos` }
  if (waiting > 0) return { Icon: CloudUpload, tone: 'text-mute', words: waitingWords(waiting) }
  return { Icon: CircleCheck, tone: 'text-mute', words: 'Guardado' }
}

/** "1 cambio por enviar", "3 cambios por enviar" */
export const waitingWords = (count: number) => counted(count, 'cambio por enviar', 'cambios por enviar')

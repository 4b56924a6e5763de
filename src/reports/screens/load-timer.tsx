import { useNow } from '../../kit/use-now.ts'
import type { Draft } from '../../offline/draft.ts'
import { Button } from '../../ui/button.tsx'
import type { OnAnswer } from './loads/typed-loads.ts'

/** Where the phone keeps when the load test began, as ISO text: it is no answer, and survives a reload. */
const startOf = 'loadTestFrom'

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Counts the minutes of a load test, and writes them once it is over. */
export default function LoadTimer({ draft, hear }: { draft: Draft; hear: OnAnswer }) {
  const from = draft.typed[startOf]
  const now = useNow(0, 1000)
  if (typeof from !== 'string')
    return (
      <Button
        variant="ghost"
        className="justify-self-start noscript:hidden"
        onClick={() => draft.keep(startOf, new Date().toISOString())}
      >
        Contar los minutos
      </Button>
    )
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(from)) / 1000))
  const end = () => {
    hear(String(Math.floor(seconds / 60)), true)
    draft.keep(startOf, null)
  }
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="tabular-nums" role="timer">
        {Math.floor(seconds / 60)}:{twoDigits(seconds % 60)}
      </span>
      <Button variant="ghost" onClick={end}>
        Terminar la prueba
      </Button>
    </div>
  )
}

import { useNow } from '../../lib/use-now.ts'
import { elapsed } from './call-words.ts'

type ElapsedTimeProps = { since: Date; offset: number; className?: string }

/** How long both have been talking. A timer: screen readers read it when asked, not each second. */
export function ElapsedTime({ since, offset, className }: ElapsedTimeProps) {
  const now = useNow(offset, 1000)
  return (
    <span role="timer" aria-label="Duración" className={className}>
      {elapsed(now.getTime() - since.getTime())}
    </span>
  )
}

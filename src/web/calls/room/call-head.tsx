import { type LucideIcon, MicOff, Signal, SignalLow, SignalMedium } from 'lucide-react'
import { useOffset } from '../../lib/use-now.ts'
import type { CallState, Quality } from '../rtc/call-state.ts'
import { ElapsedTime } from './elapsed-time.tsx'

const qualities: Record<Quality, { word: string; icon: LucideIcon; ink: string }> = {
  good: { word: 'Buena', icon: Signal, ink: 'text-brand' },
  fair: { word: 'Regular', icon: SignalMedium, ink: 'text-wait' },
  poor: { word: 'Mala', icon: SignalLow, ink: 'text-bad' },
}

/** With whom, for how long, and how well. */
export function CallHead({ state, name }: { state: CallState; name: string }) {
  const offset = useOffset(state.room)
  const metAt = state.room?.metAt
  return (
    <header className="flex items-center justify-between gap-2 text-sm">
      <div className="flex min-w-0 items-center gap-2 rounded-control bg-canvas/80 px-2.5 py-1">
        <h1 className="truncate font-semibold">
          <span className="sr-only">Llamada con </span>
          {name}
        </h1>
        {state.theirs?.audio === false && (
          <>
            <MicOff aria-hidden className="size-4 shrink-0 text-bad" />
            <span className="sr-only">Tiene el micrófono apagado</span>
          </>
        )}
        {metAt && <ElapsedTime since={new Date(metAt)} offset={offset} />}
      </div>
      {state.quality && state.way === 'open' && <QualityMark quality={state.quality} />}
    </header>
  )
}

function QualityMark({ quality }: { quality: Quality }) {
  const { word, icon: Icon, ink } = qualities[quality]
  return (
    <p className="flex shrink-0 items-center gap-1.5 rounded-control bg-canvas/80 px-2.5 py-1">
      <Icon aria-hidden className={`size-4.5 ${ink}`} />
      <span className="sr-only">Conexión: </span>
      {word}
    </p>
  )
}

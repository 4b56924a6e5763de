import { Check } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { type Stage, stageLabels } from '../rules/stages.ts'

/** The stages every installation goes through; advice and the paperwork with CFE are only for some. */
const usual = [
  'intake',
  'visit',
  'quoting',
  'deposit',
  'installing',
  'closed',
] as const satisfies readonly Stage[]

const besides: Partial<Record<Stage, (typeof usual)[number]>> = {
  advisory: 'intake',
  cfe: 'installing',
  lost: 'closed',
}

/** How far an installation is: its stages by name, those behind it ticked; at the end all of them. */
export function StageLine({ stage }: { stage: Stage }) {
  const at = usual.findIndex((one) => one === (besides[stage] ?? stage))
  const behind = stage === 'closed' ? usual.length : at
  return (
    <div className="grid gap-2.5">
      <p className="text-sm text-mute">
        Paso {at + 1} de {usual.length} · {stageLabels[stage]}
      </p>
      <ol className="grid grid-flow-col grid-cols-2 grid-rows-3 gap-x-4 gap-y-2 text-sm/5 sm:grid-flow-row sm:grid-cols-6 sm:grid-rows-1 sm:gap-x-1.5">
        {usual.map((one, index) => (
          <li
            key={one}
            aria-current={index === at && index >= behind ? 'step' : undefined}
            className="flex min-w-0 items-center gap-2 sm:flex-col sm:items-start sm:gap-1.5"
          >
            <Mark isBehind={index < behind} isHere={index === at && index >= behind} />
            <span className={classNames(index === at ? 'font-semibold' : index > at && 'text-mute')}>
              {stageLabels[one]}
              {index < behind && <span className="sr-only">, listo</span>}
            </span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** A dot on a phone; beside the others, a bar as wide as its step. */
const Mark = ({ isBehind, isHere }: { isBehind: boolean; isHere: boolean }) => (
  <>
    <span
      aria-hidden
      className={classNames(
        'grid size-5 shrink-0 place-items-center rounded-full border-2 sm:hidden',
        isBehind ? 'border-brand bg-brand text-on-brand' : isHere ? 'border-brand' : 'border-line',
      )}
    >
      {isBehind && <Check className="size-3.5" strokeWidth={3} />}
      {isHere && <span className="size-2 rounded-full bg-brand" />}
    </span>
    <span aria-hidden className="hidden h-1.5 w-full overflow-hidden rounded-full bg-track sm:block">
      <span className={classNames('block h-full bg-brand', isBehind ? 'w-full' : isHere ? 'w-1/2' : 'w-0')} />
    </span>
  </>
)

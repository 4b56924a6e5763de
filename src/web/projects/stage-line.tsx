import { type Stage, stageLabels } from '../../domain/projects/stages.ts'
import { classNames } from '../ui/class-names.ts'

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

/** How far an installation is: a bar per stage, past ones filled, the present one half; at the end all of them. */
export function StageLine({ stage }: { stage: Stage }) {
  const at = usual.findIndex((one) => one === (besides[stage] ?? stage))
  const behind = stage === 'closed' ? usual.length : at
  return (
    <div className="grid gap-1.5">
      <div aria-hidden className="grid grid-cols-6 gap-1">
        {usual.map((one, index) => (
          <span key={one} title={stageLabels[one]} className="h-1.5 overflow-hidden rounded-full bg-line">
            <span
              className={classNames(
                'block h-full bg-brand',
                index < behind && 'w-full',
                index === at && index >= behind && 'w-1/2',
                index > at && 'w-0',
              )}
            />
          </span>
        ))}
      </div>
      <p className="text-sm text-mute">
        Paso {at + 1} de {usual.length}: {stageLabels[stage]}
      </p>
    </div>
  )
}

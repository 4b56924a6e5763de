import { type CaseKind, type CaseState, caseLine, caseStateFacts, isOpenCase } from '../../domain/cfe/case.ts'
import { classNames } from '../ui/class-names.ts'

/** Where on the line a state stands that is beside it. */
const beside: Partial<Record<CaseState, CaseState>> = { observed: 'inspection', corrected: 'inspection' }

type CaseLineProps = { state: CaseState; heldFrom: CaseState | null; kind: CaseKind }

/** How far a case is: a bar per state, those behind filled, the present one half; rejected and cancelled show where they ended nowhere. */
export function CaseLine({ state, heldFrom, kind }: CaseLineProps) {
  const line = caseLine.filter((one) => kind !== 'name_change' || one !== 'meter_installed')
  const place = heldFrom ?? state
  const at = line.indexOf(beside[place] ?? place)
  if (at < 0) return null
  const behind = isOpenCase(state) ? at : line.length
  return (
    <div className="grid gap-1.5">
      <div
        aria-hidden
        className="grid gap-1"
        style={{ gridTemplateColumns: `repeat(${line.length}, minmax(0, 1fr))` }}
      >
        {line.map((one, index) => (
          <span
            key={one}
            title={caseStateFacts[one].label}
            className="h-1.5 overflow-hidden rounded-full bg-line"
          >
            <span
              className={classNames(
                'block h-full bg-brand',
                index < behind && 'w-full',
                index === at && index >= behind && 'w-1/2',
                index > at && index >= behind && 'w-0',
              )}
            />
          </span>
        ))}
      </div>
      <p className="text-sm text-mute">
        Paso {at + 1} de {line.length}: {caseStateFacts[line[at]!].label}
      </p>
    </div>
  )
}

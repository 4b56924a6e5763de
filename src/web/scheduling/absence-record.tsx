import { useState } from 'react'
import { useLocation } from 'react-router'
import { dateTime } from '../../domain/shared/format.ts'
import type { AbsencePlan } from '../../server/scheduling/proposals.ts'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'

type AbsenceRecordProps = Pick<AbsencePlan, 'recorded'> & {
  hasOffers: boolean
  result: Failure | undefined
}

/** That the absence stands, and who wrote it down: also to a manager who decided about it at the same time, and lost. */
export function AbsenceRecord({ recorded, hasOffers, result: heard }: AbsenceRecordProps) {
  const result = useKept(heard)
  if (!recorded) return <Alert tone="info" title="Ese día ya pasó" />
  const { at, by, isOwn, reason } = recorded
  const who = isOwn ? 'La registraste tú' : `La registró ${by ?? 'otra persona'}`
  const typed = result?.values.reason
  return (
    <>
      {result && (
        <Alert
          tone="wait"
          title={isOwn ? 'Ya la habías registrado' : `${by ?? 'Otra persona'} la registró antes que tú`}
        >
          {isOwn ? 'Este segundo envío no cambió nada.' : 'No se guardó nada de lo que elegiste.'}{' '}
          {hasOffers
            ? 'Abajo está lo que se propuso a cada cliente.'
            : 'Las citas de ese día ya se repartieron.'}
          {typed && typed !== reason && ` Esto escribiste: «${typed}»`}
        </Alert>
      )}
      <Alert tone="ok" title="La ausencia está registrada">
        {`${who} (${dateTime(at)}).`} Ese día no se le ofrece a nadie más con esta persona.
      </Alert>
    </>
  )
}

/** The answer to the form stays on the page although it refreshes by itself meanwhile, until one goes on. */
function useKept(result: Failure | undefined): Failure | undefined {
  const { key } = useLocation()
  const [kept, setKept] = useState({ key, result })
  if (result && result !== kept.result) setKept({ key, result })
  return result ?? (kept.key === key ? kept.result : undefined)
}

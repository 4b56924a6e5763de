import type { ReactNode } from 'react'
import { CallOffice } from '../../offline/outbox/refused.tsx'
import { theTime } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import type { SheetView } from '../rules/report.ts'

/** Says that what was submitted of an appointment taken away is kept, and what the manager decided. */
export default function ClaimNotice({ claim }: { claim: NonNullable<SheetView['claim']> }): ReactNode {
  return claim.isOpen ? (
    <Alert
      tone="wait"
      title={`Se entregó a ${theTime(claim.at)}, cuando la cita ya había cambiado`}
      className="mb-4"
      actions={<CallOffice />}
    >
      El reporte, las fotos y las firmas están guardados. La gerencia decide si la cita se reabre.
    </Alert>
  ) : (
    <Alert tone="bad" title="La gerencia no la reabrió" className="mb-4" actions={<CallOffice />}>
      {claim.refusal}
    </Alert>
  )
}

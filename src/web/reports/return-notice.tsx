import { askedAgain } from '../../domain/reports/progress.ts'
import type { Sheet } from '../../domain/reports/report.ts'
import { Alert } from '../ui/alert.tsx'
import { MissingList } from './missing-list.tsx'

/** Why a sheet came back, and what to give anew. */
export function ReturnNotice({ sheet: { kind, redo, returnReason, state } }: { sheet: Sheet }) {
  if (state !== 'returned') return null
  return (
    <Alert tone="bad" title="Te lo devolvieron">
      <p>{returnReason}</p>
      {redo.length > 0 && <MissingList missing={askedAgain(kind, redo)} />}
    </Alert>
  )
}

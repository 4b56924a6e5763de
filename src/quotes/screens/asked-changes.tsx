import { Alert } from '../../ui/alert.tsx'
import type { QuoteState } from '../rules/quote.ts'

type AskedChangesProps = { quote: { revision: number; state: QuoteState; reason: string | null } }

/** What a customer wants to have changed, in their own words. */
export const AskedChanges = ({ quote: { reason, revision, state } }: AskedChangesProps) =>
  state === 'changes_requested' &&
  reason && (
    <Alert tone="info" title={`El cliente pidió cambios a la versión ${revision}`}>
      <p className="whitespace-pre-line">«{reason}»</p>
    </Alert>
  )

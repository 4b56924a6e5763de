import type { Failure } from '../lib/submit.ts'
import { Unheard } from '../ui/unheard.tsx'
import { DecidedList } from './decided-list.tsx'
import type { loadOffice } from './office-loader.ts'
import { OpenLines } from './open-lines.tsx'
import { StatementColumns } from './statement-columns.tsx'
import { StatementList } from './statement-list.tsx'
import { UploadForm } from './upload-form.tsx'

type Bank = NonNullable<Awaited<ReturnType<typeof loadOffice>>['bank']>
type BankPartProps = Bank & { now: Date; result: Failure | undefined }

/** What the bank says came in, beside what was asked for. */
export function BankPart({ draft, movements, now, result }: BankPartProps) {
  const sent = (result?.values ?? {}) as Partial<Record<string, string>>
  const heard = (intent: string, id?: string) =>
    result && sent.intent === intent && (!id || [sent.lineId, sent.statementId].includes(id))
      ? result
      : undefined
  if (draft) return <StatementColumns draft={draft} result={heard('read-statement')} />
  if (!movements) return null
  const { decided, open, statements, waiting } = movements
  // What a form heard that somebody else's change took away is said above all.
  const stands =
    sent.intent === 'upload-statement' ||
    (sent.intent === 'confirm-match'
      ? open.matches.some(({ lineId }) => lineId === sent.lineId)
      : sent.intent === 'take-back-statement'
        ? statements.some(({ canGoBack, id }) => canGoBack && id === sent.statementId)
        : open.lines.some(({ id }) => id === sent.lineId))
  return (
    <div className="grid grid-cols-1 gap-6">
      {!stands && <Unheard result={result} />}
      <OpenLines {...open} waiting={waiting} heard={heard} />
      <UploadForm result={heard('upload-statement')} isFirst={statements.length === 0} />
      {decided.length > 0 && <DecidedList rows={decided} now={now} />}
      {statements.length > 0 && <StatementList rows={statements} heard={heard} />}
    </div>
  )
}

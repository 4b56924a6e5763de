import { DocumentField } from '../../documents/screens/document-field.tsx'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { FormDetails, Submit } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import type { OwnCase } from '../queries.ts'
import { caseKindLabels, caseLineWords } from '../rules/case.ts'
import { paperStateFacts } from '../rules/papers.ts'
import { CaseBadge, dueWords, Letter } from './case-letters.tsx'

/** A customer's cases with CFE: the state of each, whose turn it is since when, and what they have to do. */
export const OwnCases = ({ cases }: { cases: readonly OwnCase[] }) =>
  cases.map((one) => (
    <Card
      key={one.id}
      title={`Trámite ante CFE: ${caseKindLabels[one.kind].toLowerCase()}`}
      aside={<CaseBadge state={one.state} />}
    >
      <Standing one={one} />
      <OwnPapers one={one} />
      {one.waitingOn === 'customer' && <Help about={`Hola, necesito ayuda con mi trámite ${one.folio}`} />}
    </Card>
  ))

function Standing({ one }: { one: OwnCase }) {
  const { dates, folio, requestNumber, state, waitingOn, waitingSince, why } = one
  const due = dueWords(waitingOn, dates)
  return (
    <div className="grid gap-1">
      <p className="font-medium">{caseLineWords({ state, turn: waitingOn })}</p>
      {why && (
        <p className="wrap-anywhere">
          <b className="font-semibold">Motivo:</b> {why}
        </p>
      )}
      <p className="text-[0.9375rem] text-mute">
        {waitingOn === 'none' ? 'Terminó' : 'Así está desde'} el {shortDate(waitingSince)}. {due}
      </p>
      <p className="text-sm text-mute">
        Folio {folio}
        {requestNumber && `. Solicitud en CFE: ${requestNumber}`}
      </p>
    </div>
  )
}

function OwnPapers({ one }: { one: OwnCase }) {
  if (!one.takesPapers) return null
  return (
    <ul className="grid gap-4">
      {one.papers.map(({ document, label, name, reason, state }) => {
        const isMissing = state === 'pending' || state === 'rejected'
        return (
          <li key={name} className="grid gap-3 not-first:border-t not-first:border-line not-first:pt-4">
            <div className="flex items-start justify-between gap-3">
              <h3 className="font-medium">{label}</h3>
              <Badge tone={paperStateFacts[state].tone}>{paperStateFacts[state].label}</Badge>
            </div>
            {reason && <p className="wrap-anywhere text-bad">{reason}</p>}
            {name === 'power' && isMissing && (
              <div>
                <Letter href={`/papers/carta-poder/${one.id}.pdf`}>Carta poder para firmar</Letter>
              </div>
            )}
            {document && (
              <div className="grid justify-items-start">
                <DocumentLink document={document} />
              </div>
            )}
            {state !== 'validated' && (
              <FormDetails
                summary={document ? 'Cambiar el archivo' : 'Subir el archivo'}
                intent="hand-in-case-paper"
                target={{ caseId: one.id, paper: name }}
                encType="multipart/form-data"
              >
                <DocumentField purpose="cfe_paper" label={label} />
                <Submit variant="ghost" className="justify-self-start max-sm:w-full">
                  Entregar
                </Submit>
              </FormDetails>
            )}
          </li>
        )
      })}
    </ul>
  )
}

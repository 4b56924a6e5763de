import { casePaperFacts, paperStateFacts } from '../../domain/cfe/papers.ts'
import { shortDate } from '../../domain/shared/format.ts'
import type { ShownCase, ShownPaper } from '../../server/cfe/queries.ts'
import { DocumentField } from '../documents/document-field.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form, FormDetails, Submit } from '../ui/form.tsx'

type CasePapersProps = { shown: ShownCase; className: string }

/** What CFE requires of a case, each paper with its state and its actions. */
export function CasePapers({ shown, className }: CasePapersProps) {
  const { papers, takesPapers, works } = shown
  const validated = papers.filter(({ state }) => state === 'validated').length
  return (
    <Card
      title="Documentos"
      aside={
        <span className="text-sm text-mute">
          {validated} de {papers.length} validados
        </span>
      }
      className={className}
    >
      <ul className="grid gap-4">
        {papers.map((paper) => (
          <li key={paper.name} className="grid gap-3 not-first:border-t not-first:border-line not-first:pt-4">
            <PaperHead paper={paper} needed={shown.needed.includes(paper.name)} />
            {works && takesPapers && <PaperForms paper={paper} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function PaperHead({ paper, needed }: { paper: ShownPaper; needed: boolean }) {
  const { document, from, name, reason, receivedAt, state } = paper
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <div className="grid gap-0.5">
          <h3 className="font-medium">{casePaperFacts[name].label}</h3>
          <p className="text-sm text-mute">
            {receivedAt
              ? `Recibido el ${shortDate(receivedAt)}`
              : from === 'customer'
                ? 'Lo entrega el cliente'
                : 'Lo pone el gestor'}
            {!needed && '. Ya no hace falta'}
          </p>
          {reason && <p className="text-[0.9375rem] wrap-anywhere text-bad">{reason}</p>}
        </div>
        <Badge tone={paperStateFacts[state].tone}>{paperStateFacts[state].label}</Badge>
      </div>
      {document && (
        <div className="grid justify-items-start">
          <DocumentLink document={document} />
        </div>
      )}
    </>
  )
}

function PaperForms({ paper: { document, name, state } }: { paper: ShownPaper }) {
  const { label } = casePaperFacts[name]
  const target = { paper: name }
  const seen = <input type="hidden" name="seen" value={document?.id ?? ''} />
  return (
    <>
      {state === 'received' && (
        <Form intent="case.validate" target={target} className="gap-3">
          {seen}
          <Submit aria-label={`Validar: ${label}`} className="justify-self-start max-sm:w-full">
            Validar
          </Submit>
        </Form>
      )}
      <div className="grid items-start gap-3 sm:grid-cols-2">
        {(state === 'received' || state === 'validated') && (
          <FormDetails summary="Pedir que se corrija" intent="case.return" target={target}>
            {seen}
            <TextArea
              label="¿Qué hay que corregir?"
              name="reason"
              maxLength={300}
              help="Quien lo entregó lo lee tal como lo escribes."
            />
            <Submit variant="destructive" className="justify-self-start max-sm:w-full">
              Pedir corrección
            </Submit>
          </FormDetails>
        )}
        {state !== 'validated' && (
          <FormDetails
            summary={document ? 'Cambiar el archivo' : 'Subir el archivo'}
            intent="case.hand-in"
            target={target}
            encType="multipart/form-data"
          >
            <DocumentField purpose="cfe_paper" label={label} />
            <Submit variant="ghost" className="justify-self-start max-sm:w-full">
              Subir
            </Submit>
          </FormDetails>
        )}
      </div>
    </>
  )
}

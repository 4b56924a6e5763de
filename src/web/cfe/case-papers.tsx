import { askableLabels, askedName, paperStateFacts } from '../../domain/cfe/papers.ts'
import { shortDate } from '../../domain/shared/format.ts'
import type { ShownCase, ShownPaper } from '../../server/cfe/queries.ts'
import { DocumentField } from '../documents/document-field.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card, Details } from '../ui/card.tsx'
import { Field, Select, TextArea } from '../ui/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../ui/form.tsx'

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
      {works && takesPapers && <AskPaper awaited={shown.needed} />}
    </Card>
  )
}

const givers = [
  { value: 'gester', label: 'Nosotros' },
  { value: 'customer', label: 'El cliente' },
]

/** Adds a paper that CFE asked for: one that it knows, or another by its name. */
function AskPaper({ awaited }: { awaited: ShownCase['needed'] }) {
  const names = (Object.keys(askableLabels) as (keyof typeof askableLabels)[]).filter((name) =>
    askedName(name, awaited),
  )
  if (names.length === 0) return null
  return (
    <FormDetails summary="CFE pide otro documento" intent="case.ask-paper">
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="¿Cuál?"
          name="asked"
          placeholder="Elige"
          options={names.map((value) => ({ value, label: askableLabels[value] }))}
        />
        <Field
          label="Si es otro, cómo se llama"
          name="label"
          optional="unsaid"
          maxLength={80}
          autoComplete="off"
        />
      </div>
      <Select label="¿Quién lo entrega?" name="askedFrom" options={givers} defaultValue="gester" />
      <Submit variant="ghost" className="justify-self-start max-sm:w-full">
        Agregar a la lista
      </Submit>
    </FormDetails>
  )
}

function PaperHead({ paper, needed }: { paper: ShownPaper; needed: boolean }) {
  const { askedFrom, document, from, label, reason, receivedAt, state } = paper
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <div className="grid gap-0.5">
          <h3 className="font-medium">{label}</h3>
          <p className="text-sm text-mute">
            {receivedAt
              ? `Recibido el ${shortDate(receivedAt)}`
              : from === 'customer'
                ? 'Lo entrega el cliente'
                : 'Lo pone el gestor'}
            {askedFrom && '. Lo pidió CFE'}
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

/** What can be done with a paper; of a validated one it is folded, since nothing has to be. */
function PaperForms({ paper }: { paper: ShownPaper }) {
  const { label, name, state } = paper
  const isOpen = useFormResult(['case.return', 'case.hand-in'], { paper: name }) !== undefined
  if (state === 'validated')
    return (
      <Details summary="Cambiar o pedir que se corrija" open={isOpen}>
        <HandIn paper={paper} />
        <Return paper={paper} />
      </Details>
    )
  return (
    <>
      {state === 'received' && (
        <Form intent="case.validate" target={{ paper: name }} className="gap-3">
          <Seen paper={paper} />
          <Submit aria-label={`Validar: ${label}`} className="justify-self-start max-sm:w-full">
            Validar
          </Submit>
        </Form>
      )}
      <div className="grid items-start gap-3 sm:grid-cols-2">
        {state === 'received' && <Return paper={paper} />}
        <HandIn paper={paper} />
      </div>
    </>
  )
}

const Seen = ({ paper: { document } }: { paper: ShownPaper }) => (
  <input type="hidden" name="seen" value={document?.id ?? ''} />
)

const Return = ({ paper }: { paper: ShownPaper }) => (
  <FormDetails summary="Pedir que se corrija" intent="case.return" target={{ paper: paper.name }}>
    <Seen paper={paper} />
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
)

const HandIn = ({ paper: { document, label, name } }: { paper: ShownPaper }) => (
  <FormDetails
    summary={document ? 'Cambiar el archivo' : 'Subir el archivo'}
    intent="case.hand-in"
    target={{ paper: name }}
    encType="multipart/form-data"
  >
    <DocumentField purpose="cfe_paper" label={label} />
    <p className="text-sm text-mute">Lo que subes tú queda validado.</p>
    <Submit variant="ghost" className="justify-self-start max-sm:w-full">
      Subir
    </Submit>
  </FormDetails>
)

import { ChevronDown } from 'lucide-react'
import { DocumentField } from '../../documents/screens/document-field.tsx'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { Field, Select, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit, useFormResult } from '../../kit/form/form.tsx'
import { shortDate } from '../../shared/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { ShownCase, ShownPaper } from '../queries.ts'
import { askableLabels, askedName, nextPapers, paperStateFacts } from '../rules/papers.ts'

type CasePapersProps = { shown: ShownCase; className: string }

/** What CFE requires of a case: a row per paper, open where whoever works on it has something to do. */
export function CasePapers({ shown, className }: CasePapersProps) {
  const { needed, papers, takesPapers, works } = shown
  const acts = works && takesPapers
  const validated = papers.filter(({ state }) => state === 'validated').length
  const next = acts ? nextPapers(papers.filter(({ name }) => needed.includes(name))) : []
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
      <ul className="-mx-4 grid grid-cols-1 divide-y divide-line border-y border-line last:-mb-4 last:overflow-hidden last:rounded-b-card last:border-b-0 sm:-mx-5 sm:last:-mb-5">
        {papers.map((paper) => (
          <li key={paper.name}>
            <PaperRow
              paper={paper}
              note={noteOf(paper, needed.includes(paper.name), acts)}
              isNext={next.includes(paper)}
              acts={acts}
            />
          </li>
        ))}
      </ul>
      {acts && <AskPaper awaited={needed} />}
    </Card>
  )
}

/** Who does what with a paper, in a word or a few; nothing where nothing is left to do. */
function noteOf({ askedFrom, from, name, state }: ShownPaper, isNeeded: boolean, acts: boolean): string {
  const theirs = state === 'rejected' ? 'Lo corrige el cliente' : 'Lo entrega el cliente'
  const ours = acts ? 'Súbelo' : 'Lo pone el gestor'
  const missing = from === 'customer' ? theirs : ours
  const todo = { pending: missing, rejected: missing, received: acts && 'Revísalo', validated: null }[state]
  const asked = askedFrom && name !== 'meter_photo' && 'Lo pidió CFE'
  return [todo, asked, !isNeeded && 'Ya no hace falta'].filter(Boolean).join('. ')
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

type PaperHeadProps = { paper: ShownPaper; note: string; isNext: boolean }

/** A paper with its state in one row, which opens to its file and its forms; it is open when one of them comes back. */
function PaperRow({ acts, ...head }: PaperHeadProps & { acts: boolean }) {
  const { isNext, paper } = head
  const isAnswered = useFormResult(paperIntents, { paper: paper.name }) !== undefined
  if (!acts && !paper.document && !paper.reason) return <PaperHead {...head} />
  return (
    <details open={isNext || isAnswered} className="group">
      <summary className="flex items-center select-none hover:bg-hover [&::-webkit-details-marker]:hidden">
        <PaperHead {...head} />
        <ChevronDown
          aria-hidden
          className="mr-4 size-5 shrink-0 text-mute transition-transform group-open:rotate-180 sm:mr-5"
        />
      </summary>
      <div className="grid grid-cols-1 gap-3 px-4 pt-1 pb-4 sm:px-5">
        {paper.reason && <p className="text-[0.9375rem] wrap-anywhere text-bad">{paper.reason}</p>}
        {paper.document && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <DocumentLink document={paper.document} />
            {paper.receivedAt && (
              <span className="text-sm text-mute">Recibido el {shortDate(paper.receivedAt)}</span>
            )}
            {acts && paper.state === 'received' && <Validate paper={paper} />}
          </div>
        )}
        {acts && <PaperForms paper={paper} />}
      </div>
    </details>
  )
}

const paperIntents = ['case.validate', 'case.return', 'case.hand-in']

/** On a phone the state is below the name, which takes the whole row. */
const PaperHead = ({ isNext, note, paper: { label, state } }: PaperHeadProps) => (
  <span className="flex min-h-12 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 sm:pl-5">
    <span className="basis-full font-medium sm:flex-1 sm:basis-0">{label}</span>
    <span className={classNames('text-sm max-sm:order-1', isNext ? 'font-medium' : 'text-mute')}>{note}</span>
    <Badge tone={paperStateFacts[state].tone}>{paperStateFacts[state].label}</Badge>
  </span>
)

const Validate = ({ paper }: { paper: ShownPaper }) => (
  <Form intent="case.validate" target={{ paper: paper.name }} className="gap-3 max-sm:w-full sm:ml-auto">
    <Seen paper={paper} />
    <Submit aria-label={`Validar: ${paper.label}`}>Validar</Submit>
  </Form>
)

/** What else can be done with a paper. Where there is none yet, the form to upload it stands open. */
function PaperForms({ paper }: { paper: ShownPaper }) {
  const { document, name, state } = paper
  if (!document)
    return (
      <Form {...handIn(name)} className="gap-3">
        <HandInFields paper={paper} />
      </Form>
    )
  return (
    <div className="grid grid-cols-1 items-start gap-3 sm:grid-cols-2">
      {state !== 'rejected' && <Return paper={paper} />}
      <FormDetails summary="Cambiar el archivo" {...handIn(name)}>
        <HandInFields paper={paper} />
      </FormDetails>
    </div>
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

const handIn = (paper: ShownPaper['name']) =>
  ({ intent: 'case.hand-in', target: { paper }, encType: 'multipart/form-data' }) as const

const HandInFields = ({ paper: { label } }: { paper: ShownPaper }) => (
  <>
    <DocumentField purpose="cfe_paper" label={label} />
    <p className="text-sm text-mute">Lo que subes tú queda validado.</p>
    <Submit variant="ghost" className="justify-self-start max-sm:w-full">
      Subir
    </Submit>
  </>
)

import { DocumentField } from '../../documents/screens/document-field.tsx'
import { DocumentLink } from '../../documents/screens/document-link.tsx'
import { Field, Select } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit } from '../../kit/form/form.tsx'
import { dayTimeIn, shortDate } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import {
  countsUntil,
  endingWords,
  kindsOf,
  monthsWords,
  staffPaperKinds,
  staffPaperState,
  staffPaperStates,
} from '../rules/staff-paper.ts'
import type { StaffPaper } from '../staff-papers.ts'

export type ShownPapers = {
  papers: readonly StaffPaper[]
  now: Date
  /** By what the manager calls them; null on one's own page. */
  name: string | null
  ofCompany: boolean
  /** Whether the reader is the manager. */
  checks: boolean
}

/** The papers of a person, or of the company, and a form for one more. */
export function PapersCard({ checks, name, now, ofCompany, papers }: ShownPapers) {
  const title = ofCompany ? 'Papeles de la empresa' : 'Papeles'
  return (
    <Card id="papeles" title={title}>
      <Endings papers={papers} now={now} name={name} ofCompany={ofCompany} />
      {papers.length === 0 ? (
        <p className="text-mute">
          {ofCompany
            ? 'Sube la póliza y el REPSE para que te avisemos antes de que venzan.'
            : 'Todavía no hay ninguno. Solo los ven la persona y la gerencia.'}
        </p>
      ) : (
        <ul className="grid divide-y divide-line">
          {papers.map((paper) => (
            <PaperRow key={paper.id} paper={paper} now={now} checks={checks} />
          ))}
        </ul>
      )}
      <PaperForm ofCompany={ofCompany} key={papers.map(({ id }) => id).join()} />
    </Card>
  )
}

type EndingsProps = Omit<ShownPapers, 'checks'>

/** What is about to end, or has, and the appointments after it. */
function Endings({ name, now, ofCompany, papers }: EndingsProps) {
  const ending = papers.filter(
    (paper) => paper.isLatest && ['soon', 'expired'].includes(staffPaperState(paper, now)),
  )
  const whom = ofCompany ? 'A la empresa ' : name ? `A ${name} ` : ''
  return ending.map((paper) => {
    const words = `${whom}${endingWords(paper, now, name || ofCompany ? 'le' : 'te')}`
    return (
      <Alert key={paper.id} tone="wait" title={words.charAt(0).toUpperCase() + words.slice(1)}>
        {paper.after > 0 && checks(paper)}
        Sube el nuevo en cuanto lo tengas.
      </Alert>
    )
  })
}

const checks = ({ kind }: StaffPaper) =>
  staffPaperKinds[kind].isNeeded ? 'Para esas citas ya no cuenta. ' : null

type RowProps = { paper: StaffPaper; now: Date; checks: boolean }

function PaperRow({ checks, now, paper }: RowProps) {
  const { checkedAt, checkedBy, document, expires, id, isLatest, issued, kind, number } = paper
  const state = staffPaperState(paper, now)
  const { label, tone } = staffPaperStates[state]
  const what = `${staffPaperKinds[kind].label}, ${number}`
  return (
    <li className="grid gap-2 py-3 first:pt-0">
      <div className="flex items-start justify-between gap-4">
        <div className="grid min-w-0 gap-0.5">
          <p className="font-semibold wrap-anywhere">{staffPaperKinds[kind].label}</p>
          <p className="text-[0.9375rem] wrap-anywhere text-mute">
            {number} · del {shortDate(issued)} al {shortDate(expires)}
          </p>
          <p className="text-[0.9375rem] text-mute">
            {checkedAt
              ? `Lo revisó ${checkedBy}, ${dayTimeIn(checkedAt, now)}`
              : `Cuenta hasta el ${dayTimeIn(countsUntil(paper), now)} si nadie lo revisa`}
          </p>
        </div>
        {isLatest ? <Badge tone={tone}>{label}</Badge> : <Badge tone="neutral">Anterior</Badge>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <DocumentLink document={document}>Ver archivo</DocumentLink>
        {checks && !checkedAt && (
          <Form intent="paper-check" target={{ paperId: id }}>
            <Submit aria-label={`Marcar como revisado ${what}`}>Está bien</Submit>
          </Form>
        )}
        {(checks || !checkedAt) && (
          <Form intent="paper-remove" target={{ paperId: id }}>
            <Submit variant="ghost" aria-label={`Quitar ${what}`}>
              Quitar
            </Submit>
          </Form>
        )}
      </div>
    </li>
  )
}

const PaperForm = ({ ofCompany }: { ofCompany: boolean }) => (
  <FormDetails summary="Agregar un papel" intent="paper-add" encType="multipart/form-data">
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Papel"
        name="kind"
        placeholder="Elige cuál es"
        options={kindsOf(ofCompany).map((value) => ({ value, label: staffPaperKinds[value].label }))}
      />
      <Field label="Folio o número" name="number" maxLength={60} autoComplete="off" />
      <Field label="Expedido el" name="issued" type="date" />
      <Field
        label="Vence el"
        name="expires"
        type="date"
        optional
        help={`Si lo dejas vacío, lo contamos: ${monthsWords(ofCompany)}.`}
      />
    </div>
    <DocumentField purpose="staff_paper" label="Archivo" />
    <Submit variant="ghost" className="sm:justify-self-start">
      Guardar papel
    </Submit>
  </FormDetails>
)

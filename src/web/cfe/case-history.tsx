import type { CaseMoveName } from '../../domain/cfe/case.ts'
import { type CasePaperName, casePaperFacts } from '../../domain/cfe/papers.ts'
import { dateTime } from '../../domain/shared/format.ts'
import type { ShownCase } from '../../server/cfe/queries.ts'
import { Card } from '../ui/card.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { Timeline } from '../ui/timeline.tsx'
import { Unheard } from '../ui/unheard.tsx'
import type { Heard } from './heard.ts'

type CaseHistoryProps = { shown: ShownCase; heard: Heard; className: string }

/** What happened to a case, the latest first, and the way to note something down. */
export const CaseHistory = ({ shown: { history, row, works }, heard, className }: CaseHistoryProps) => (
  <Card title="Notas e historia" className={className}>
    {works && !row.closedAt ? (
      <Form result={heard('case.note')}>
        <TextArea
          label="Nota"
          name="note"
          maxLength={1000}
          help="Solo la leen quienes atienden el trámite."
        />
        <Submit name="intent" value="case.note" variant="ghost" className="justify-self-start max-sm:w-full">
          Guardar nota
        </Submit>
      </Form>
    ) : (
      <Unheard result={heard('case.note')} />
    )}
    <Timeline
      items={history.map((event) => ({
        key: event.id,
        title: titleOf(event),
        children: event.reason && <p className="whitespace-pre-line wrap-anywhere">{event.reason}</p>,
        note: `${dateTime(event.at)} · ${event.actor ?? 'El sistema'}`,
      }))}
    />
  </Card>
)

const moveTitles: Record<CaseMoveName, string> = {
  complete: 'El expediente quedó completo',
  reopen: 'Se volvieron a reunir documentos',
  file: 'Se ingresó en CFE',
  inspect: 'CFE empezó a revisarlo',
  observe: 'CFE hizo observaciones',
  correct: 'Se corrigió lo que CFE observó',
  approve: 'CFE lo aprobó',
  sign: 'El contrato quedó firmado',
  installMeter: 'CFE instaló el medidor',
  close: 'Se concluyó',
  hold: 'Se puso en pausa',
  resume: 'Se reanudó',
  reject: 'CFE lo rechazó',
  cancel: 'Se canceló',
}
const titles: Record<string, string> = {
  ...moveTitles,
  open: 'Se abrió el trámite',
  facts: 'Se corrigieron los datos',
  give: 'Cambió de gestor',
  note: 'Nota',
}
const paperTitles: Record<string, string> = {
  paper: 'Llegó',
  paper_validated: 'Se validó',
  paper_rejected: 'Se pidió corregir',
}

function titleOf({ data, name }: ShownCase['history'][number]): string {
  const paper = (data as { paper?: CasePaperName } | null)?.paper
  const about = paper && paperTitles[name]
  return about ? `${about}: ${casePaperFacts[paper].label.toLowerCase()}` : (titles[name] ?? name)
}
